import { eq, sql } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { isMarkFor, markFor } from '#src/accounts/notifications/marks.server.ts'
import { noteErasedPhone, wasReferredBefore } from '#src/accounts/identity/erased-phones.server.ts'
import { hashOfToken } from '#src/accounts/sessions.server.ts'
import { phoneKey } from '#src/accounts/identity/otp-limits.server.ts'
import { proveOtp, sendOtp } from '#src/accounts/identity/otp.server.ts'
import { consumeRecoveryCode, makeRecoveryCodes } from '#src/accounts/identity/recovery-codes.server.ts'
import { erasedPhones, loadedData, users } from '#src/accounts/tables.ts'
import { checkCode } from '#src/invoices/verify.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit, findBrokenSeal, sealEvents } from '#src/kit/records/audit.server.ts'
import { auditEvents, outbox, vaultKeys } from '#src/kit/db/tables.ts'
import { EnvError } from '#src/kit/base/env.server.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { hashPassword, verifyPassword } from '#src/kit/passwords.server.ts'
import { sealedPurposes } from '#src/kit/vault-purposes.ts'
import type { Vault } from '#src/kit/vault.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { listings } from '#src/listings/tables.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { fetchCode, loadedCode } from '#src/orders/bearers/fetch-code.server.ts'
import { orders } from '#src/orders/tables.ts'
import { findDraft, saveDraft } from '#src/selling/unsent/drafts.server.ts'
import { codeSentTo, startTestOutbox, testAuthClient } from '#tools/test-kit/test-auth-client.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { countOlder, reseal, sealedPlaces } from './resealing.server.ts'
import { openMarketVault } from './vault-keys.server.ts'

const FIRST = 'a'.repeat(32)
const SECOND = 'b'.repeat(32)
const THIRD = 'c'.repeat(32)
const WRONG = 'PEPPER is not the one that this database was made with. Set the right one; nothing was changed.'

let market: TestMarket
shareMarket((opened) => (market = opened))
beforeEach(async () => {
  await market.owner.delete(vaultKeys)
  await market.owner.delete(loadedData).where(eq(loadedData.name, 'pepper-canary'))
  for (const statement of ['disable trigger all', 'enable trigger all']) {
    await market.owner.execute(sql`alter table audit_events ${sql.raw(statement)}`)
    if (statement.startsWith('disable')) await market.owner.execute(sql`truncate audit_events restart identity`)
  }
})

const open = (pepper: string, others: { old?: string; next?: string } = {}) =>
  openMarketVault(market.ctx.db, { pepper, pepperOld: others.old ?? null, pepperNext: others.next ?? null })
const refusal = (opening: Promise<Vault>) =>
  opening.then(
    () => null,
    (error: unknown) => (error instanceof EnvError ? error.lines : Promise.reject(error)),
  )
const withVault = (vault: Vault): Ctx => ({ ...market.ctx, vault })

/** One value of each kind that the market stores sealed. */
async function fill(vault: Vault) {
  const ctx = withVault(vault)
  const tag = String(100_000_000_000 + Math.trunc(Math.random() * 1e11))
  const person = await makeUser(ctx, { typeId: 2, panSealed: vault.seal('pan', 'ABCDE1234F') })
  await ctx.db
    .update(users)
    .set({ totpSealed: vault.seal('totp', 'JBSWY3DPEHPK3PXP') })
    .where(eq(users.id, person.id))
  const listingId = await makeListing(ctx, {
    sellerId: person.id,
    tagSealed: vault.seal('ear-tag', tag),
    tagMac: vault.mac('ear-tag', tag),
  })
  const order = await makeOrder(ctx, {})
  await ctx.db
    .update(orders)
    .set({ tagSealed: vault.seal('ear-tag', tag), handoverSealed: vault.seal('handover', '4711') })
    .where(eq(orders.id, order.id))
  await saveDraft({ ...ctx, viewer: person }, { typed: { tag, name: 'Lakshmi' }, version: null })
  await queueMessage(ctx, { channel: 'sms', template: 'x', locale: 'ta', to: person.phone, body: 'secret', isSecret: true })
  return { person, listingId, orderId: order.id, tag }
}

async function read({ person, listingId, orderId }: Awaited<ReturnType<typeof fill>>, vault: Vault) {
  const { db } = market.ctx
  const [user] = await db.select().from(users).where(eq(users.id, person.id))
  const [listing] = await db.select().from(listings).where(eq(listings.id, listingId))
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId))
  const [message] = await db.select().from(outbox).where(eq(outbox.recipient, person.phone))
  const draft = await findDraft({ ...withVault(vault), viewer: person })
  return {
    pan: vault.open('pan', user!.panSealed!),
    totp: vault.open('totp', user!.totpSealed!),
    tags: [vault.open('ear-tag', listing!.tagSealed!), vault.open('ear-tag', order!.tagSealed!), draft!.typed.tag],
    hasTodaysMac: listing!.tagMac!.equals(vault.mac('ear-tag', vault.open('ear-tag', listing!.tagSealed!))),
    handover: vault.open('handover', order!.handoverSealed),
    message: JSON.parse(vault.open('outbox', message!.sealed!)).body as string,
  }
}
const all = (tag: string) => ({
  pan: 'ABCDE1234F',
  totp: 'JBSWY3DPEHPK3PXP',
  tags: [tag, tag, tag],
  hasTodaysMac: true,
  handover: '4711',
  message: 'secret',
})

describe('a database', () => {
  test('opens with its own PEPPER only, and a refused one changes nothing', async () => {
    expect((await open(FIRST)).keyNumber).toBe(1)
    expect(await open(FIRST)).toMatchObject({ keyNumber: 1, passwordCost: { memory: 19_456, passes: 2, parallelism: 1 } })
    expect(await refusal(open(SECOND))).toEqual([WRONG])
    expect(await refusal(open(SECOND, { next: THIRD }))).toEqual([WRONG])
    expect(await refusal(open(SECOND, { old: THIRD }))).toEqual([
      'PEPPER_OLD is not the one of this database. Set the right one; nothing was changed.',
    ])
    expect(await market.ctx.db.$count(vaultKeys)).toBe(0)
  })

  test('accepts a new PEPPER together with the old one once; afterwards the new one suffices and the old one alone is refused', async () => {
    await open(FIRST)
    expect((await open(SECOND, { old: FIRST })).keys.map(({ number }) => number)).toEqual([1, 2])
    const vault = await open(SECOND)
    expect([vault.keyNumber, vault.keys.length]).toEqual([2, 2])
    expect((await open(SECOND, { old: FIRST })).keyNumber).toBe(2)
    expect(await refusal(open(FIRST))).toEqual([expect.stringMatching(/^PEPPER was changed meanwhile/)])
    const third = await open(THIRD, { old: SECOND })
    expect(third.open('pan', vault.seal('pan', 'ABCDE1234F'))).toBe('ABCDE1234F')
  })

  test('accepts one of two new PEPPERs that come at the same moment', async () => {
    await open(FIRST)
    const outcomes = await Promise.allSettled([open(SECOND, { old: FIRST }), open(THIRD, { old: FIRST }), open(SECOND, { old: FIRST })])
    expect(await market.ctx.db.$count(vaultKeys)).toBe(1)
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect(outcomes[0]!.status).not.toBe(outcomes[1]!.status)
  })
})

describe('after a change of PEPPER', () => {
  test('everything sealed is readable at once, and resealed in the background, even after a kill at any point', async () => {
    const made = await fill(await open(FIRST))
    const vault = await open(SECOND, { old: FIRST })
    expect(await read(made, vault)).toEqual({ ...all(made.tag), hasTodaysMac: false })
    const older = await countOlder(market.ctx.db, vault)
    expect(older).not.toBe(0)
    // Killed after its first place, then started again.
    let looks = 0
    await reseal(market.ctx.db, vault, { isStopped: () => (looks += 1) > 2 })
    expect(await read(made, vault)).toMatchObject({ pan: 'ABCDE1234F', handover: '4711' })
    expect(await countOlder(market.ctx.db, vault)).not.toBe(0)
    await reseal(market.ctx.db, vault)
    expect(await countOlder(market.ctx.db, vault)).toBe(0)
    expect(await read(made, vault)).toEqual(all(made.tag))
    expect((await reseal(market.ctx.db, vault))!.resealed).toBe(0)
    expect(await reseal(market.ctx.db, vault)).toBeNull()
  })

  test('every stored purpose has a place, and so has every column with sealed values', async () => {
    const stored = Object.entries(sealedPurposes).flatMap(([purpose, how]) => (how === 'stored' ? [purpose] : []))
    expect(new Set(Object.values(sealedPlaces).map(({ purpose }) => purpose as string))).toEqual(new Set(stored))
    const { rows } = (await market.ctx.db.execute(
      sql`select table_name || '.' || column_name as name from information_schema.columns where column_name like '%sealed' and table_schema = 'public'`,
    )) as { rows: { name: string }[] }
    expect(rows.map(({ name }) => name).toSorted()).toEqual(
      Object.keys(sealedPlaces)
        .filter((name) => name !== 'listing_drafts.typed')
        .toSorted(),
    )
  })

  test('passwords work and are hashed again; recovery codes, erased numbers, papers, counters and digits are found', async () => {
    const before = withVault(await open(FIRST))
    const hash = await hashPassword(before.vault, 'a good password')
    const person = await makeUser(before)
    const codes = await makeRecoveryCodes(before, person.id)
    const gone = await makeUser(before)
    await noteErasedPhone(before, gone.id, { referral: true, wasReferred: true })
    const paper = { id: 7, number: 'SN-1', issuedAt: new Date('2026-01-02') }
    const printed = checkCode(before.vault, paper)
    const order = { id: 9, listedBearerId: 3, createdAt: new Date('2026-01-02') }
    const said = [fetchCode(before, order), loadedCode(before, order)]
    const counter = phoneKey(before, person.phone)

    const after = withVault(await open(SECOND, { old: FIRST }))
    expect(await verifyPassword(after.vault, hash, 'a good password')).toEqual({ isRight: true, isOutdated: true })
    const fresh = await hashPassword(after.vault, 'a good password')
    expect(await verifyPassword(after.vault, fresh, 'a good password')).toEqual({ isRight: true, isOutdated: false })
    expect(await consumeRecoveryCode(after, person.id, codes[0]!)).toBe(true)
    expect(await consumeRecoveryCode(after, person.id, codes[0]!)).toBe(false)
    expect(await wasReferredBefore(after, gone.phone)).toBe(true)
    await noteErasedPhone(after, gone.id, { firstOrder: true })
    const hashes = await after.db
      .select()
      .from(erasedPhones)
      .where(eq(erasedPhones.phoneHash, after.vault.mac('erased-phone', gone.phone)))
    expect(hashes).toMatchObject([{ hadFirstOrder: true, hadReferral: true, wasReferred: true }])
    expect(checkCode(after.vault, paper)).toBe(printed)
    expect([fetchCode(after, order), loadedCode(after, order)]).toEqual(said)
    expect(phoneKey(after, person.phone)).toBe(counter)
  })
})

test('a code that was sent and a mark on a phone stay valid', async () => {
  // Sealed by keys of earlier tests.
  await market.owner.delete(outbox)
  const before: Ctx = { ...withVault(await open(FIRST)), browserId: null }
  const worker = startTestOutbox(before)
  const binding = { phone: '+919843200001', purpose: 'reset', browserHash: hashOfToken('a browser') } as const
  await sendOtp(before, binding, testAuthClient())
  const code = await codeSentTo(before, binding.phone)
  await worker.stop()
  const mark = markFor(before.vault, 'shown', 5)

  const after: Ctx = { ...before, vault: await open(SECOND, { old: FIRST }) }
  await expect(proveOtp(after, binding, code === '000000' ? '000001' : '000000')).rejects.toMatchObject({ code: 'OTP_WRONG' })
  expect(await proveOtp(after, binding, code)).toEqual(expect.any(Number))
  expect(isMarkFor(after.vault, 'shown', 5, mark)).toBe(true)
  expect(isMarkFor(after.vault, 'stop', 5, mark)).toBe(false)
  expect(isMarkFor(await open(SECOND), 'shown', 6, mark)).toBe(false)
})

describe('processes that restart in turn', () => {
  test("read each other's sealed values at every moment, when PEPPER_NEXT goes first", async () => {
    const old = await open(FIRST)
    const prepared = await open(FIRST, { next: SECOND })
    expect([prepared.keyNumber, prepared.keys.length]).toEqual([1, 2])
    // The process that is not restarted yet reads what the prepared one seals.
    expect(old.open('handover', prepared.seal('handover', '1234'))).toBe('1234')
    const changed = await open(SECOND)
    expect(prepared.open('handover', changed.seal('handover', '1234'))).toBe('1234')
    expect(changed.open('handover', prepared.seal('handover', '1234'))).toBe('1234')
    expect(await verifyPassword(prepared, await hashPassword(changed, 'a good password'), 'a good password')).toMatchObject({
      isRight: true,
    })
    expect(prepared.macs('run-link', 'x')).toContainEqual(changed.mac('run-link', 'x'))
    // Only a process that seals with the newest key reseals.
    expect(await reseal(market.ctx.db, prepared)).toBeNull()
  })

  test('fail with a clear error when one is changed directly beside another, but never reject a correct password', async () => {
    const old = await open(FIRST)
    const changed = await open(SECOND, { old: FIRST })
    expect(() => old.open('handover', changed.seal('handover', '1234'))).toThrow('Sealed with key 2, which this process does not have.')
    await expect(hashPassword(changed, 'a good password').then((hash) => verifyPassword(old, hash, 'a good password'))).rejects.toThrow(
      'key 2',
    )
  })
})

describe('the audit trail', () => {
  const happen = async (vault: Vault, count = 3) => {
    for (let n = 1; n <= count; n++) await audit(withVault(vault), 'user_updated', `user:${n}`)
    return sealEvents(market.ctx.db, vault)
  }
  const broken = (vault: Vault) => findBrokenSeal(market.ctx.db, vault)
  async function tamper(change: () => Promise<unknown>) {
    await market.owner.execute(sql`alter table audit_events disable trigger all`)
    await change()
    await market.owner.execute(sql`alter table audit_events enable trigger all`)
  }

  test('continues over a change of PEPPER, each seal with the key of its time; a process without the new key leaves sealing to others', async () => {
    const first = await open(FIRST)
    await happen(first)
    const second = await open(SECOND, { old: FIRST })
    expect(await happen(first)).toBe(0)
    await happen(second)
    expect(await broken(second)).toBeNull()
    const seals = await market.ctx.db.select({ seal: auditEvents.seal }).from(auditEvents).orderBy(auditEvents.position)
    expect(seals.map(({ seal }) => (seal!.length === 32 ? 1 : seal![0]))).toEqual([1, 1, 1, 2, 2, 2, 2, 2, 2])
    const third = await open(THIRD, { old: SECOND })
    await happen(third)
    expect(await broken(third)).toBeNull()
  })

  test('does not verify with the new PEPPER when somebody rebuilt it with the old one', async () => {
    const first = await open(FIRST)
    await happen(first)
    const second = await open(SECOND, { old: FIRST })
    await happen(second)
    await tamper(async () => {
      await market.owner.execute(sql`update audit_events set position = null, seal = null`)
      await market.owner.update(auditEvents).set({ object: 'user:9' }).where(eq(auditEvents.id, 2))
      const keys = await market.owner.select().from(vaultKeys)
      await market.owner.delete(vaultKeys)
      await sealEvents(market.owner, first)
      await market.owner.insert(vaultKeys).values(keys)
    })
    expect(await broken(second)).toEqual({ position: 3, id: 3 })
  })

  test('does not verify when the old key sealed something after the change', async () => {
    const first = await open(FIRST)
    await happen(first)
    const second = await open(SECOND, { old: FIRST })
    await tamper(async () => {
      const keys = await market.owner.select().from(vaultKeys)
      await market.owner.delete(vaultKeys)
      await happen(first, 1)
      await market.owner.insert(vaultKeys).values(keys)
    })
    expect(await broken(second)).toEqual({ position: 4, id: 4 })
  })
})
