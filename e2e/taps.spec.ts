import type { Browser } from '@playwright/test'
import { expect, test } from './market.ts'
import { planFor, rates, sessionFile } from './taps-plan.ts'
import { comeAs, kindsOn, knowButtons, newPhone, open, roles, tap, withoutNumbers, type Phone, type Role, type Tap } from './taps.ts'

// A touch starts the scripts, and the same touch may press a button (router-seams/held-submit.server.ts). At any moment, it must cause one
// request and one answer.
const isDeep = process.env.DEEP === '1'
/** Tests run concurrently: small ones, the slow ones first, keep all workers busy to the end. */
const PARTS = 4

/** Ordinary runs: buttons that once failed, at two moments. */
const sample: [Role, string, RegExp][] = [
  ['buyer', '/en/product/62', /review|my-cart/],
  ['admin', '/en/product/62?tab=verification', /verification/],
  ['buyer', '/en/userprofile/1', /data/],
  ['visitor', '/en/buy/0', /buy/],
  ['visitor', '/login', /login/],
]

for (const [role, path, wanted] of isDeep ? [] : sample)
  test(`a tap of a ${role} on ${path} is one request and is answered there, at any moment`, async ({ browser }) => {
    test.slow()
    await asPhone(browser, async (phone) => {
      await comeAs(phone.page, role)
      await open(phone.page, path)
      const kinds = new Set((await kindsOn(phone.page)).filter((kind) => wanted.test(kind)))
      expect(kinds).not.toEqual(new Set())
      for (const kind of kinds) expect(await lostMoments(phone, { kind, path }, 6, [0, 0.5], path)).toEqual([])
    })
  })

for (const rate of isDeep ? rates : [])
  for (const role of Object.keys(roles) as Role[])
    for (let part = 0; part < PARTS; part++)
      test(`every button that a ${role} presses answers once, ${rate} times slower (${part + 1} of ${PARTS})`, async ({ browser }) => {
        test.setTimeout(0)
        const mine = planFor(rate).filter((each) => each.role === role)
        const lost: string[] = []
        await asPhone(
          browser,
          async (phone) => {
            for (const each of mine.filter((_, n) => n % PARTS === part)) lost.push(...(await lostMoments(phone, each, rate, each.moments)))
          },
          sessionFile(role),
        )
        expect(lost).toEqual([])
      })

async function asPhone(browser: Browser, use: (phone: Phone) => Promise<void>, storageState?: string): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 360, height: 800 },
    ...(storageState && { storageState }),
  })
  await knowButtons(context)
  await use(await newPhone(context))
  await context.close()
}

/** The moments at which this tap differed from one on the finished page. Each is a share of the time from first paint to idle. */
async function lostMoments(phone: Phone, each: Tap, rate: number, moments: number[], stays?: string): Promise<string[]> {
  const at = `${each.kind} on ${each.path}`
  const lost: string[] = []
  try {
    const { outcome: wanted, ready } = await tap(phone, each, { rate, wait: 'idle' })
    if (wanted === null)
      return await notAnsweredOnce(
        phone,
        each,
        rate,
        moments.map((moment) => moment * ready),
      )
    if (wanted.says === '' || wanted.asked.length > 1) return [`${at}: ${JSON.stringify(wanted)} even when all is quiet`]
    if (stays && wanted.path !== withoutNumbers(stays).replace(/\?.*/, '')) return [`${at}: leaves for ${wanted.path}`]
    for (const moment of moments) {
      const { outcome } = await tap(phone, each, { rate, wait: moment * ready })
      if (JSON.stringify(outcome) !== JSON.stringify(wanted))
        lost.push(`${at}, ${Math.round(moment * 100)} %: ${JSON.stringify(outcome)} instead of ${JSON.stringify(wanted)}`)
    }
  } catch (error) {
    lost.push(`${at}: ${String(error)}`)
  }
  return lost
}

/** A button that scripts remove or make unnecessary: pressed before that, it sends at most once, and the page reacts. */
async function notAnsweredOnce(phone: Phone, each: Tap, rate: number, waits: number[]): Promise<string[]> {
  const lost: string[] = []
  for (const wait of waits) {
    const { outcome } = await tap(phone, each, { rate, wait })
    if (!outcome || outcome.asked.length > 1 || outcome.says === '')
      lost.push(`${each.kind} on ${each.path}, ${Math.round(wait)} ms: ${JSON.stringify(outcome)}`)
  }
  return lost
}
