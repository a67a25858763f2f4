import { beforeAll, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { settings } from '#src/kit/db/tables.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { readSettings, setSetting } from '#src/kit/records/settings.server.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { indianDayIn } from '#src/kit/time-money/dates.ts'
import { often } from '#tools/test-kit/often.ts'
import { meetingOf } from '#tools/test-kit/signal.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { callSettingBack, changeSetting, listPlanned, planSetting } from './settings.server.ts'

const PASSWORD = 'a quiet evening'
const ROUNDS = often(10, 60)

let market: TestMarket
let admins: [Viewer, Viewer]
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  const passwordHash = await hashPassword(testVault, PASSWORD)
  const make = (name: string) => makeUser(market.ctx, { typeId: 9, name, passwordHash })
  admins = [await make('Meena'), await make('Kumar')]
})
const paiseSeen = async () => JSON.stringify((await readSettings(market.ctx)).smsPaise)
const marginSeen = async () => JSON.stringify((await readSettings(market.ctx)).profitMarginPercent)
const tomorrow = () => indianDayIn(market.ctx.now, 1)
const plan = (ctx: Ctx, value: number, seen: string, day = tomorrow()) =>
  planSetting(ctx, 'profitMarginPercent', value, { seen, day, reason: 'Agreed', password: PASSWORD })
const sentenceOf = async (decision: Promise<unknown>) =>
  problemDetail((await decision.then(() => null).catch((error: Problem) => error)) as unknown as Problem, 'en')

type Change = (ctx: Ctx, value: number, seen: string) => Promise<unknown>
const change: Change = (ctx, value, seen) => changeSetting(ctx, 'smsPaise', value, { seen })

/** Race control: compare, then write without the lock. Both admins compare with the old value, and both write. */
const naive =
  (bothHaveCompared: () => Promise<void>): Change =>
  async (ctx, value, seen) => {
    if (JSON.stringify((await readSettings(ctx)).smsPaise) !== seen) throw new Problem('VERSION')
    await bothHaveCompared()
    await setSetting(ctx, 'smsPaise', value)
  }

/** Two admins opened the settings, and each types another value. */
async function changeAtOnce(how: Change) {
  const seen = await paiseSeen()
  const before = await market.ctx.db.$count(settings)
  const start = Number(seen) + 1
  const ends = await Promise.all(admins.map((admin, who) => refusalOf(how(market.as(admin), start + who, seen))))
  const after = (await readSettings(market.ctx)).smsPaise
  const winner = after - start
  return { ends: ends.toSorted(), changes: (await market.ctx.db.$count(settings)) - before, isWinners: ends[winner] === 'taken' }
}

test('of two changes of one setting from the same value the first counts', async () => {
  for (let n = 0; n < ROUNDS; n++) expect(await changeAtOnce(change)).toEqual({ ends: ['VERSION', 'taken'], changes: 1, isWinners: true })
})

test('control: compared without the lock, both are stored', async () => {
  expect(await changeAtOnce(naive(meetingOf(2)))).toMatchObject({ ends: ['taken', 'taken'], changes: 2 })
})

test('a refusal says what, who and when; the own change sent twice succeeds', async () => {
  const [meena, kumar] = [market.as(admins[0]), market.as(admins[1])]
  const paise = await paiseSeen()
  for (const _twice of [1, 2]) await change(meena, 733, paise)
  expect(await sentenceOf(change(kumar, 744, paise))).toMatch(/“Price of an SMS: 733 paise” \(Meena, \d+-\w+-\d{4}, \d\d:\d\d\)/)
  expect(await sentenceOf(change(meena, 745, paise))).toMatch(/733 paise/)
  const margin = await marginSeen()
  for (const _twice of [1, 2]) await plan(meena, 8, margin)
  expect(await sentenceOf(plan(kumar, 9, margin))).toMatch(/“Sale commission: 8%. From \d+-\w+-\d{4} on.” \(Meena, /)
  const [planned] = await listPlanned(meena)
  for (const _twice of [1, 2]) await callSettingBack(meena, planned!.id)
  expect(await sentenceOf(callSettingBack(kumar, planned!.id))).toMatch(/“Called back” \(Meena, /)
})
