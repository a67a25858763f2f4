import type { Browser, Locator, Page } from '@playwright/test'
import { expect, expectNoSidewaysScroll, test, untilAlive } from './market.ts'

export const PHONE = { width: 360, height: 800 }

/** The texts by which a page refuses by a limit, in both languages (messages `problem_rate_limited`, `error_limited_title`, `problem_wait_…`). */
const LIMIT = /Too many requests|Please try again in \d|பல முறை கேட்டு|அடிக்கடி கேட்டு|\d (வினாடிகளில்|நிமிடங்களில்|மணி நேரத்தில்) மீண்டும்/

/** Somebody who tries the market in a browser of their own, at a phone's size. */
export interface Newcomer {
  page: Page
  browser: Browser
  tally: Tally
  /** Screens whose twin was opened already. */
  seen: Set<string>
}

/** The taps of all people of the whole journey, and the addresses that answered 429 or 503. */
export interface Tally {
  taps: number
  refused: string[]
}

function noteRefusals({ refused }: Tally, page: Page): void {
  page.on('response', (response) => void ([429, 503].includes(response.status()) && refused.push(response.url())))
}

export async function newcomer(browser: Browser, tally: Tally, page?: Page): Promise<Newcomer> {
  const own = page ?? (await (await browser.newContext({ viewport: PHONE })).newPage())
  noteRefusals(tally, own)
  return { page: own, browser, tally, seen: new Set() }
}

export async function tap(who: Newcomer, what: Locator): Promise<void> {
  await what.click()
  who.tally.taps += 1
}

export async function write(who: Newcomer, field: Locator, text: string): Promise<void> {
  await field.fill(text)
  who.tally.taps += 1
}

export async function tick(who: Newcomer, choice: Locator): Promise<void> {
  await choice.check()
  who.tally.taps += 1
}

export async function choose(who: Newcomer, list: Locator, label: string): Promise<void> {
  await list.selectOption({ label })
  who.tally.taps += 1
}

/** One part of the journey, of at most so many taps. They are an annotation; with TAPS=1 they are printed, too. */
export async function part(tally: Tally, title: string, most: number, act: () => Promise<void>): Promise<void> {
  const before = tally.taps
  await test.step(title, act)
  expect(tally.refused, title).toEqual([])
  const taps = tally.taps - before
  expect(taps, `taps: ${title}`).toBeLessThanOrEqual(most)
  const description = `${title}: ${taps}`
  test.info().annotations.push({ type: 'taps', description })
  if (process.env.TAPS === '1') console.log(`taps  ${description}`)
}

const isEnglish = (url: URL) => /^\/en(\/|$)/.test(url.pathname)

/** The screen is in the language of its address, fits, and refuses nothing by a limit; so is its twin in the other language, once per screen. */
export async function look(who: Newcomer): Promise<void> {
  const { page } = who
  await untilAlive(page)
  await expectScreen(page)
  const url = new URL(page.url())
  const kind = url.pathname.replace(/\d+/g, 'N') + url.search.replace(/\d+/g, 'N')
  if (who.seen.has(kind)) return
  who.seen.add(kind)
  await openTwin(who, url)
}

async function expectScreen(page: Page): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', isEnglish(new URL(page.url())) ? 'en' : 'ta')
  await expectNoSidewaysScroll(page)
  await expect(page.getByRole('main')).not.toContainText(LIMIT)
}

/** In a copy of the person's browser that has not chosen a language: a chosen one redirects from the other's addresses. */
async function openTwin({ page, browser, tally }: Newcomer, url: URL): Promise<void> {
  const { cookies, origins } = await page.context().storageState()
  const storageState = { cookies: cookies.filter(({ name }) => name !== 'lang'), origins }
  const context = await browser.newContext({ viewport: PHONE, storageState })
  const twin = await context.newPage()
  noteRefusals(tally, twin)
  const path = isEnglish(url) ? url.pathname.slice(3) || '/' : `/en${url.pathname === '/' ? '' : url.pathname}`
  expect((await twin.goto(path + url.search))!.status(), path).toBe(200)
  expect(new URL(twin.url()).pathname).toBe(path)
  await expectScreen(twin)
  await context.close()
}

/** Taps a link, and waits until its page has begun. */
export async function follow(who: Newcomer, link: Locator): Promise<void> {
  await Promise.all([who.page.waitForEvent('framenavigated'), tap(who, link)])
}

export async function openMenu(who: Newcomer): Promise<Locator> {
  await untilAlive(who.page)
  const menu = who.page.locator('header details').last()
  await tap(who, menu.locator('summary'))
  return menu
}

export async function byMenu(who: Newcomer, name: string): Promise<void> {
  await follow(who, (await openMenu(who)).getByRole('link', { name, exact: true }))
}

const inBar = ({ page }: Newcomer, name: string) =>
  page.getByRole('navigation', { name: 'Quick menu' }).getByRole('link', { name, exact: true })

/** By the bar at the foot of a phone. */
export async function byBar(who: Newcomer, name: string): Promise<void> {
  await untilAlive(who.page)
  await follow(who, inBar(who, name))
}

/** Logs in as a sample person through the modal that "My page" in the bar opens. It lists them. */
export async function logIn(who: Newcomer, role: string): Promise<void> {
  const { page } = who
  await untilAlive(page)
  await tap(who, inBar(who, 'My page'))
  const modal = page.getByRole('dialog', { name: 'User Login' })
  await tap(who, modal.getByText('Sample people of this demo'))
  await tap(who, modal.getByRole('button', { name: `Login: ${role}`, exact: true }))
  await expect(page.getByRole('banner').getByText('My menu')).toBeAttached()
}

/** Reads the code in the newest SMS to this number, in the tab that the link below the field opens. */
export async function codeAtOutbox(who: Newcomer, phone: string): Promise<string> {
  const { page } = who
  const [outbox] = await Promise.all([
    page.context().waitForEvent('page'),
    tap(who, page.getByRole('link', { name: 'Sample market: no SMS goes out. Read it here.' })),
  ])
  const sms = outbox
    .getByRole('article')
    .filter({ hasText: phone })
    .filter({ hasText: /\b\d{6}\b/ })
  await expect(async () => {
    await outbox.reload()
    await expect(sms.first()).toBeVisible({ timeout: 1000 })
  }).toPass()
  const [code] = /\b\d{6}\b/.exec(await sms.first().innerText())!
  await outbox.close()
  return code
}
