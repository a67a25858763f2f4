import { isCopyCache, NOBODY, OWN_COPIES, OWNER_HEADER } from '#src/content/offline/names.ts'
import { scope } from './scope.ts'
import { store } from './store.ts'

/**
 * The person who is using the phone, as the server's last answer says. After an act that may change it, it is unknown until the next
 * answer; meanwhile the worker shows no personal copies.
 */
interface Owner {
  mark: string
  /** The CSRF token that pages can read. It changes with each login, so it reveals a login that bypassed the worker. */
  csrf: string | null
}

const KEY = 'owner'
let acts = 0

/** Who was using the phone when a request was sent, as far as the worker knows. */
export interface Asked {
  acts: number
  token: string | null
}

/** Await this before the request is sent: a token that is read later may belong to somebody who logged in meanwhile. */
export async function beforeAsking(): Promise<Asked> {
  const before = acts
  return { acts: before, token: await readToken() }
}

/**
 * Whether an answer is about the present. An answer to a request from before a login or logout says nothing about the current person, even
 * if the login bypassed the worker: then the token has changed. The first answer to an anonymous visitor may bring their first token.
 */
export async function isPresent(asked: Asked, { headers }: Response): Promise<boolean> {
  const isSame = asked.token === (await readToken()) || (asked.token === null && headers.get(OWNER_HEADER) === NOBODY)
  return isSame && asked.acts === acts
}

export async function forgetOwner(): Promise<void> {
  acts += 1
  await (await store()).delete('facts', KEY)
}

/** Stores the owner that an answer names, and removes everybody else's copies. */
export async function noteOwner(response: Response, asked: Asked): Promise<void> {
  const mark = response.headers.get(OWNER_HEADER)
  if (mark === null || !(await isPresent(asked, response))) return
  const csrf = asked.token
  const known = await readOwner()
  if (known?.mark === mark && known.csrf === csrf) return
  await (await store()).put('facts', { mark, csrf } satisfies Owner, KEY)
  if (known?.mark === mark) return
  const others = (await caches.keys()).filter((name) => name.startsWith(OWN_COPIES) && name !== cacheOf(mark))
  await Promise.all(others.map((name) => caches.delete(name)))
}

const readOwner = async () => (await (await store()).get('facts', KEY)) as Owner | undefined

/** Null where workers cannot read cookies, and after a restart of the browser: this cookie ends with it, a login does not. */
export async function readToken(): Promise<string | null> {
  const { cookieStore } = scope
  const cookie = (await cookieStore?.get('__Host-csrf')) ?? (await cookieStore?.get('csrf'))
  return cookie?.value ?? null
}

/** The mark of the logged-in person; null when it is unknown, or nobody is logged in. */
export async function ownerNow(): Promise<string | null> {
  const owner = await readOwner()
  if (!owner || owner.mark === NOBODY) return null
  const csrf = await readToken()
  return csrf === null || csrf === owner.csrf ? owner.mark : null
}

export const cacheOf = (mark: string) => OWN_COPIES + mark

/** Removes every copy, of everybody. */
export async function removeCopies(): Promise<void> {
  const names = (await caches.keys()).filter((name) => isCopyCache(name))
  await Promise.all(names.map((name) => caches.delete(name)))
  await (await store()).clear('kept')
}
