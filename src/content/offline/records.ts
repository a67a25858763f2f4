import { openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore, type StoreNames } from 'idb'

/** The reason why a database of the phone failed. `full`: the phone has no room; `late`: it did not answer in time. */
export class RecordsFailed extends Error {
  readonly why: 'full' | 'late' | 'failed'

  constructor(why: RecordsFailed['why'], cause?: unknown) {
    super(`The phone's records: ${why}.`, { cause })
    this.name = 'RecordsFailed'
    this.why = why
  }
}

interface Patience {
  /** A transaction that takes longer is aborted. */
  limitMs: number
  /** When the second one was late, too, all uses fail at once for so long: a page with many pictures waits only once. */
  restMs: number
}

type InStore<S extends DBSchema, N extends StoreNames<S>, M extends IDBTransactionMode> = IDBPObjectStore<S, [N], N, M>
type Work<S extends DBSchema, N extends StoreNames<S>, M extends IDBTransactionMode, T> = (store: InStore<S, N, M>) => Promise<T>

/**
 * A database of the phone that may fail at any time and in any way: browsers close a connection without an event, and leave a request without
 * an answer. Each use is one transaction. One that fails or is late is aborted and done again on a new connection, once; then it throws
 * RecordsFailed.
 */
export class Records<S extends DBSchema> {
  readonly #name: string
  readonly #create: (db: IDBPDatabase<S>) => void
  readonly #patience: Patience
  #opened: Promise<IDBPDatabase<S>> | undefined
  #restsUntil = 0

  constructor(name: string, create: (db: IDBPDatabase<S>) => void, patience: Patience) {
    this.#name = name
    this.#create = create
    this.#patience = patience
  }

  read = <N extends StoreNames<S>, T>(name: N, work: Work<S, N, 'readonly', T>): Promise<T> => this.#use(name, 'readonly', work)
  write = <N extends StoreNames<S>, T>(name: N, work: Work<S, N, 'readwrite', T>): Promise<T> => this.#use(name, 'readwrite', work)

  /** `work` may await the store only: a transaction ends when nothing is asked of it. */
  async #use<N extends StoreNames<S>, M extends IDBTransactionMode, T>(name: N, mode: M, work: Work<S, N, M, T>): Promise<T> {
    if (Date.now() < this.#restsUntil) throw new RecordsFailed('late')
    try {
      return await this.#try(name, mode, work).catch((error: RecordsFailed) => {
        if (error.why === 'full') throw error
        return this.#try(name, mode, work)
      })
    } catch (error) {
      if ((error as RecordsFailed).why === 'late') this.#restsUntil = Date.now() + this.#patience.restMs
      throw error
    }
  }

  async #try<N extends StoreNames<S>, M extends IDBTransactionMode, T>(name: N, mode: M, work: Work<S, N, M, T>): Promise<T> {
    let isLate = false
    let abort = () => {}
    let timer: ReturnType<typeof setTimeout> | undefined
    const opened = (this.#opened ??= this.#open())
    const run = async () => {
      const db = await opened
      if (isLate) throw new RecordsFailed('late')
      const tx = db.transaction(name, mode)
      abort = () => tx.abort()
      const done = tx.done.then(
        () => null,
        (error: unknown) => ({ error }),
      )
      const result = await work(tx.store).catch(async (error: unknown) => {
        tryTo(abort)
        // The transaction knows the cause, for example that the phone is full; its requests only say that it was aborted.
        throw tx.error ?? error
      })
      const failure = await done
      if (failure) throw failure.error
      return result
    }
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        isLate = true
        reject(new RecordsFailed('late'))
        tryTo(abort)
      }, this.#patience.limitMs)
    })
    try {
      return await Promise.race([run(), late])
    } catch (error) {
      this.#close(opened)
      if (error instanceof RecordsFailed) throw error
      throw new RecordsFailed((error as Error | null)?.name === 'QuotaExceededError' ? 'full' : 'failed', error)
    } finally {
      clearTimeout(timer)
    }
  }

  async #open(): Promise<IDBPDatabase<S>> {
    return openDB<S>(this.#name, 1, {
      upgrade: this.#create,
      // The kill switch or the person can delete the database: close it, and open it again at the next use.
      blocking: (_, __, event) => {
        ;(event.target as IDBDatabase).close()
        this.#opened = undefined
      },
      terminated: () => (this.#opened = undefined),
    })
  }

  /** The next use opens another connection. One that opens after its time was up is closed, too, so that it blocks nobody. */
  #close(opened: Promise<IDBPDatabase<S>>): void {
    if (this.#opened === opened) this.#opened = undefined
    void opened.then((db) => tryTo(() => db.close())).catch(() => {})
  }
}

function tryTo(act: () => void): void {
  try {
    act()
  } catch {
    // It is over already.
  }
}
