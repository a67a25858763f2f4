import { askWorker } from './ask-worker.ts'

/** What somebody did without a line, as the page would have sent it (content/offline/outbox/outbox.ts). */
export interface LaterAct {
  kind: 'heart' | 'cart' | 'enquiry' | 'thread' | 'reply' | 'listing' | 'edit'
  method: 'POST' | 'PUT' | 'DELETE'
  /** Of the call, or of the page whose form it is. */
  path: string
  /** Of a form; `csrf` is replaced when it is sent. */
  fields?: [string, string][]
  /** Of a call. */
  body?: unknown
  /** Pictures that a call needs first, each sent by itself as `image`. */
  parts?: LaterPart[]
  /** Where it is corrected after a refusal; its number is added. */
  correctAt?: string
  /** What is shown of it while it waits: what was written, or which animal. */
  words: string
  locale: string
}

export interface LaterPart {
  path: string
  picture: Blob
  /** The market has it: it is not sent again. */
  isSent?: boolean
}

export type Stored = 'stored' | 'full'

/**
 * Gives an act that found no line to the service worker, which sends it when there is one. Null where there is no worker, or nobody is
 * known to be logged in: then the page says that it did not work, as ever.
 */
export const sendLater = (act: LaterAct) => askWorker<Stored | null>({ ask: 'later', act })
