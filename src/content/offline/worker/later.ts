import { LINK, Outbox, type Deliver } from '#src/content/offline/outbox/outbox.ts'
import { FOR_COPY, OUTBOX_DB, OUTBOX_SYNC } from '#src/content/offline/names.ts'
import type { LaterAct, Stored } from '#src/kit/device/send-later.ts'
import { copyPage } from './answer.ts'
import { deliverWith } from './deliver.ts'
import { ownerNow } from './owner.ts'
import { scope } from './scope.ts'

const outbox = new Outbox(OUTBOX_DB)

/** Null when nobody is known to be logged in, and the act needs somebody. */
export async function storeAct(act: LaterAct): Promise<Stored | null> {
  const owner = act.isByLink ? LINK : await ownerNow()
  if (owner === null) return null
  const stored = await outbox.add(owner, act, Date.now())
  // Browsers without background sync send when the next page is opened.
  await scope.registration.sync?.register(OUTBOX_SYNC).catch(() => {})
  return stored
}

/** After a logout the next person on this phone finds no words of acts that were sent. */
export const forgetSentActs = (): Promise<void> => outbox.forgetSent()

/** The owners whose acts are shown and sent now. */
async function owners(): Promise<string[]> {
  const owner = await ownerNow()
  return owner === null ? [LINK] : [owner, LINK]
}

export async function listActs() {
  const acts = await Promise.all((await owners()).map((owner) => outbox.list(owner)))
  return acts.flat().toSorted((a, b) => a.n - b.n)
}

/** How many acts wait until their owner logs in again; 0 while somebody is logged in. Nobody else reads their words. */
export async function countForLogin(): Promise<number> {
  const present = await owners()
  return present.length === 1 ? outbox.countOthers(present) : 0
}

/** Returns how many still wait. Copies a bearer's day again after one of its handovers. Each owner's acts are sent on their own: an ended login holds up no act by a link. */
export async function sendActs(pageToken?: string): Promise<number> {
  const deliver = deliverWith(pageToken)
  const daysChanged = new Set<string>()
  const noting: Deliver = async (act, note) => {
    const delivery = await deliver(act, note)
    if (act.isByLink && delivery.kind === 'sent') daysChanged.add(act.path)
    return delivery
  }
  let left = 0
  for (const owner of await owners()) left += await outbox.send(owner, noting, Date.now())
  await Promise.all([...daysChanged].map((path) => copyPage(new URL(path, scope.location.origin).href, { [FOR_COPY]: '1' })))
  return left
}

export async function discardAct(n: number): Promise<void> {
  for (const owner of await owners()) await outbox.discard(owner, n)
}

/** The acts that follow this name: their form was emptied. */
export async function discardFollowers(name: string): Promise<void> {
  for (const owner of await owners()) await outbox.discardFollowers(owner, name)
}

export async function reviseAct(n: number, changes: Parameters<Outbox['revise']>[2]): Promise<void> {
  for (const owner of await owners()) await outbox.revise(owner, n, changes)
}
