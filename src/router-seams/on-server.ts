/** Loader data for the server's rendering only. A browser gets an empty object instead. */
interface OnServer<T> {
  /** Carries the type only. */
  readonly onServer?: T
}

/** The router serializes own properties, and a private one is none. */
class Kept<T> {
  readonly #value: T
  constructor(value: T) {
    this.#value = value
  }
  static read<T>(kept: Kept<T>): T {
    return kept.#value
  }
}

/**
 * Wraps the data of a server-rendered part (`ServerOnly`): its HTML contains the data already, so the page does not repeat it for scripts.
 * To remove: pass the value itself; each page then contains it twice.
 */
export const onServer = <T>(value: T): OnServer<T> => new Kept(value) as OnServer<T>

/** Use this only within `import.meta.env.SSR && …`. */
export const readOnServer = <T>(kept: OnServer<T>): T => Kept.read(kept as Kept<T>)
