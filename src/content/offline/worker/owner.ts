import { isCopyCache, NOBODY, OWN_COPIES, OWNER_HEADER } from '#src/content/offline/names.ts'
import { scope } from './scope.ts'
import { store } from './store.ts'

/**
 * Whose phone it is just now. Each answer of the server says whose it is; an act that may change it makes it unknown until the next answer.
 * While it is unknown nobody's own copies are shown.
 */
interface Owner {
  mark: string
  /** The token that the page's script sees changes with each login: a login that passed us by is noticed by it. */
  csrf: string | null
}

const KEY = 'owner'
let acts = 0

/** To be handed to `noteOwner` with the answer: one that was asked for before a login or logout says nothing about now. */
export const beforeAsking = () => acts

export async function forgetOwner(): Promise<void> {
  acts += 1
  await (await store()).delete('facts', KEY)
}

/** Takes over what an answer says, and removes what belongs to anybody else. */
export async function noteOwner({ headers }: Response, asked: number): Promise<void> {
  const mark = headers.get(OWNER_HEADER)
  if (mark === null || asked !== acts) return
  const csrf = await readToken()
  const known = await readOwner()
  if (known?.mark === mark && known.csrf === csrf) return
  await (await store()).put('facts', { mark, csrf } satisfies Owner, KEY)
  if (known?.mark === mark) return
  const others = (await caches.keys()).filter((name) => name.startsWith(OWN_COPIES) && name !== cacheOf(mark))
  await Promise.all(others.map((name) => caches.delete(name)))
}

const readOwner = async () => (await (await store()).get('facts', KEY)) as Owner | undefined

/** Null where this browser's workers see no cookies. */
export async function readToken(): Promise<string | null> {
  const { cookieStore } = scope
  const cookie = (await cookieStore?.get('__Host-csrf')) ?? (await cookieStore?.get('csrf'))
  return cookie?.value ?? null
}

/** The mark of whoever is here; null when it is not known, or when nobody is logged in. */
export async function ownerNow(): Promise<string | null> {
  const owner = await readOwner()
  if (!owner || owner.mark === NOBODY) return null
  const csrf = await readToken()
  return csrf === null || csrf === owner.csrf ? owner.mark : null
}

export const cacheOf = (mark: string) => OWN_COPIES + mark

/** All that was copied, of everybody. */
export async function removeCopies(): Promise<void> {
  const names = (await caches.keys()).filter((name) => isCopyCache(name))
  await Promise.all(names.map((name) => caches.delete(name)))
  await (await store()).clear('kept')
}
