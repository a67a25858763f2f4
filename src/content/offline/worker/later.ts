import { Outbox } from '#src/content/offline/outbox/outbox.ts'
import { OUTBOX_DB, OUTBOX_SYNC } from '#src/content/offline/names.ts'
import type { LaterAct, Stored } from '#src/kit/device/send-later.ts'
import { deliverWith } from './deliver.ts'
import { ownerNow } from './owner.ts'
import { scope } from './scope.ts'

const outbox = new Outbox(OUTBOX_DB)

/** Null where nobody is known to be logged in. */
export async function storeAct(act: LaterAct): Promise<Stored | null> {
  const owner = await ownerNow()
  if (owner === null) return null
  const stored = await outbox.add(owner, act, Date.now())
  // Browsers without background sync send at the next page that is opened.
  await scope.registration.sync?.register(OUTBOX_SYNC).catch(() => {})
  return stored
}

export async function listActs() {
  const owner = await ownerNow()
  return owner === null ? [] : outbox.list(owner)
}

/** How many still wait. */
export async function sendActs(pageToken?: string): Promise<number> {
  const owner = await ownerNow()
  return owner === null ? 0 : outbox.send(owner, deliverWith(pageToken), Date.now())
}

export async function discardAct(n: number): Promise<void> {
  const owner = await ownerNow()
  if (owner !== null) await outbox.discard(owner, n)
}
