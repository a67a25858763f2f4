import { isCopyCache, OWN_COPIES } from '#src/content/offline/names.ts'
import { NOBODY, OWNER_HEADER } from '#src/kit/http/market-answer.ts'
import { forgetCaches } from './keep.ts'
import { inTime } from './patience.ts'
import { scope } from './scope.ts'
import { records } from './store.ts'

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
/** The owner as of now, also when it cannot be stored. Null: unknown. Undefined: not read since the worker's start. */
let current: Owner | null | undefined

/** The person who was using the phone when a request was sent, as far as the worker knows. */
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

/**
 * If the stored owner cannot be deleted, all personal copies are: a restarted worker would take that owner for the
 * current one.
 */
export async function forgetOwner(): Promise<void> {
  acts += 1
  current = null
  await records.write('facts', (facts) => facts.delete(KEY)).catch(() => removeOwnCopies())
}

/** Stores the owner that an answer names, and removes everybody else's copies. Never fails: a page waits for it. */
export async function noteOwner(response: Response, asked: Asked): Promise<void> {
  const mark = response.headers.get(OWNER_HEADER)
  if (mark === null || !(await isPresent(asked, response))) return
  const csrf = asked.token
  const known = await readOwner()
  if ((known?.mark === mark && known.csrf === csrf) || asked.acts !== acts) return
  const owner: Owner = { mark, csrf }
  current = owner
  await records.write('facts', (facts) => facts.put(owner, KEY)).catch(() => {})
  if (known?.mark !== mark) await removeOwnCopies(cacheOf(mark))
}

/** Never fails: a page waits for it. */
async function removeOwnCopies(except?: string): Promise<void> {
  try {
    const names = (await caches.keys()).filter((name) => name.startsWith(OWN_COPIES) && name !== except)
    await Promise.all(names.map((name) => caches.delete(name)))
    // The records hold the titles of the pages.
    if (names.length > 0) void forgetCaches((name) => names.includes(name))
  } catch {
    // The browser refuses its caches, so nothing is shown from them either.
  }
}

async function readOwner(): Promise<Owner | null> {
  if (current !== undefined) return current
  const stored = (await records.read('facts', (facts) => facts.get(KEY)).catch(() => undefined)) as Owner | undefined
  // An act or an answer may have been faster.
  if (current === undefined && stored) current = stored
  return current ?? null
}

/** Null where workers cannot read cookies or get no answer, and when the cookies are gone, the login's among them. */
export async function readToken(): Promise<string | null> {
  const { cookieStore } = scope
  try {
    const read = async () => (await cookieStore?.get('__Host-csrf')) ?? (await cookieStore?.get('csrf'))
    return (await inTime(read))?.value ?? null
  } catch {
    return null
  }
}

/**
 * The mark of the logged-in person; null when it is unknown, or nobody is logged in. Copies and acts end with the
 * login's cookies.
 */
export async function ownerNow(): Promise<string | null> {
  const owner = await readOwner()
  if (!owner || owner.mark === NOBODY) return null
  return (await readToken()) === owner.csrf ? owner.mark : null
}

export const cacheOf = (mark: string) => OWN_COPIES + mark

/** Removes every copy, of everybody. */
export async function removeCopies(): Promise<void> {
  const names = (await caches.keys()).filter((name) => isCopyCache(name))
  await Promise.all(names.map((name) => caches.delete(name)))
  await records.write('kept', (kept) => kept.clear())
}
