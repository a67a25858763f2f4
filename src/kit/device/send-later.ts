import { askWorker } from './ask-worker.ts'

/** An act that a person did offline, as the page would have sent it (content/offline/outbox/outbox.ts). */
export interface LaterAct {
  kind: 'heart' | 'cart' | 'enquiry' | 'offer' | 'thread' | 'reply' | 'listing' | 'edit' | 'check' | 'handover' | 'video' | 'voice'
  method: 'POST' | 'PUT' | 'DELETE'
  /** The path of the API call or of the form's page. */
  path: string
  /** The object of the act, for example one order: a later act on the same object replaces one that waits. */
  object?: string
  /** The path grants access by itself, as a bearer's link does: the act is shown and sent whoever is logged in. */
  isByLink?: boolean
  /** The fields of a form. The sender replaces `csrf`. */
  fields?: [string, string][]
  /** Pictures within the form, each with its field name. */
  files?: [string, Blob][]
  /** The JSON body of an API call. */
  body?: unknown
  /** Pictures that must be uploaded first, each in its own request as `image`. */
  parts?: LaterPart[]
  /** The name by which other acts follow this one. */
  name?: string
  /** The name of the act that goes before this one: this one waits while that one waits or was refused. */
  follows?: string
  /** A large file, uploaded in parts before `path` is called with the fields, the files and the id of the upload. */
  upload?: LaterUpload
  /** The page that corrects the act after a refusal; the sender appends the act's number. */
  correctAt?: string
  /** The text that describes the waiting act: its content, or the animal. */
  words: string
  locale: string
}

interface LaterPart {
  path: string
  picture: Blob
  /** The server has accepted the act: do not send it again. */
  isSent?: boolean
}

export interface LaterUpload {
  blob: Blob
  /** The id of the resumable upload, once it has begun. */
  id?: string
}

export type Stored = 'stored' | 'full'

/** A clip has many megabytes, and a cheap phone stores them slowly. */
const STORING_MS = 60_000

/**
 * Hands an act to the service worker, which sends it when the market can be reached. Returns null when there is no
 * worker or no known login, or the phone does not store it in time; the page then reports the failure. Stored later
 * than that, it is sent all the same.
 */
export const sendLater = (act: LaterAct) =>
  askWorker<Stored | null>({ ask: 'later', act }, act.upload || act.files || act.parts ? STORING_MS : undefined)
