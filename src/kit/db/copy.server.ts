import { once } from 'node:events'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'

/**
 * COPY over pg's own connection in both directions, as a stream. It is a Submittable in pg's terms: pass it to `client.query` in place of a
 * statement, and it handles the protocol messages.
 */
interface Connection {
  stream: Socket
  query(statement: string): void
  sendCopyFromChunk(chunk: Uint8Array): void
  endCopyFrom(): void
  sendCopyFail(reason: string): void
}

/** Backpressure: stop reading the source while this many bytes wait for the socket. */
const MOST_WAITING = 1024 * 1024

abstract class Copy {
  readonly #statement: string
  constructor(statement: string) {
    this.#statement = statement
  }
  submit(connection: Connection): void {
    connection.query(this.#statement)
  }
  handleCommandComplete(): void {}
  handleRowDescription(): void {}
  abstract handleReadyForQuery(): void
  abstract handleError(error: Error): void
}

/** `copy … to stdout` */
export class CopyOut extends Copy {
  #connection: Connection | undefined
  readonly rows = new Readable({ read: () => void this.#connection?.stream.resume() })

  handleCopyData({ chunk }: { chunk: Uint8Array }, connection: Connection): void {
    this.#connection = connection
    // Copy the bytes: the parser reuses its buffer.
    if (!this.rows.push(Buffer.from(chunk))) connection.stream.pause()
  }
  override handleReadyForQuery(): void {
    // Resume the connection: while it is paused, the answer to the next statement would not be read.
    this.#connection?.stream.resume()
    this.rows.push(null)
  }
  override handleError(error: Error): void {
    this.rows.destroy(error)
  }
}

/** `copy … from stdin` */
export class CopyIn extends Copy {
  readonly #lines: AsyncIterable<Uint8Array>
  #failure: Error | undefined
  #end: { resolve(): void; reject(error: Error): void } | undefined
  readonly done = new Promise<void>((resolve, reject) => (this.#end = { resolve, reject }))

  constructor(statement: string, lines: AsyncIterable<Uint8Array>) {
    super(statement)
    this.#lines = lines
  }
  handleCopyInResponse(connection: Connection): void {
    void this.#send(connection).catch((error: Error) => {
      this.#failure = error
      connection.sendCopyFail('The rows stopped coming.')
    })
  }
  async #send(connection: Connection): Promise<void> {
    for await (const part of this.#lines) {
      connection.sendCopyFromChunk(part)
      if (connection.stream.writableLength > MOST_WAITING) await once(connection.stream, 'drain')
    }
    connection.endCopyFrom()
  }
  override handleReadyForQuery(): void {
    this.#end?.resolve()
  }
  override handleError(error: Error): void {
    this.#end?.reject(this.#failure ?? error)
  }
}
