/** What a loader gives to the server's drawing alone. A browser gets an empty object in its place. */
export interface OnServer<T> {
  /** Only so that the type knows what is in it. */
  readonly onServer?: T
}

/** The router writes an instance's own properties, and a private one is none. */
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
 * Of a page that the server draws whole (`ServerOnly`), what it is drawn with: its HTML says it already, so the page does not carry it a
 * second time as data for scripts.
 * To remove: give the value itself, and each page carries it twice.
 */
export const onServer = <T>(value: T): OnServer<T> => new Kept(value) as OnServer<T>

/** Only within `import.meta.env.SSR && …`. */
export const readOnServer = <T>(kept: OnServer<T>): T => Kept.read(kept as Kept<T>)
