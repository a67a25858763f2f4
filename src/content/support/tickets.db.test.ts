import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import type { Viewer } from '#src/kit/context.ts'
import { daysBefore } from '#src/kit/time-money/dates.ts'
import { auditEvents, idempotency, limitCounts, outbox } from '#src/kit/db/tables.ts'
import { problemDetail } from '#src/kit/problem-text.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import { sendForm } from '#tools/test-kit/send-form.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { exportPerson, forgetPerson } from '#src/content/privacy/privacy.server.ts'
import { tickets } from '#src/content/tables.ts'
import { action as closeAction } from './tickets-page.tsx'
import { action } from './support-page.tsx'
import { readTicketNumber, ticketInput, ticketNumber } from './ticket-schemas.ts'
import {
  closeTicket,
  KEEP_CLOSED_DAYS,
  listOwnTickets,
  getTicket,
  listTickets,
  openSealed,
  openTicket,
  ownPhone,
  sealNumber,
  sweepTickets,
} from './tickets.server.ts'

let market: TestMarket
let buyer: Viewer & { phone: string }
let admin: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  buyer = await makeUser(market.ctx, { name: 'Selvi' })
  admin = await makeUser(market.ctx, { typeId: 9, name: 'Kumar' })
})
beforeEach(async () => {
  for (const table of [tickets, outbox, idempotency, limitCounts]) await market.ctx.db.delete(table)
})

const letter = (changes: object = {}) =>
  ticketInput.parse({ name: 'Selvi', phone: '9876543210', topic: 'order', content: 'Where is my goat?', key: randomUUID(), ...changes })
const rows = () => market.ctx.db.select().from(tickets).orderBy(tickets.id)
const sent = () => market.ctx.db.select().from(outbox).orderBy(outbox.id)
const idOf = (number: string) => Number(number.slice(3))

describe('a ticket', () => {
  test('gets a number, whoever opens it', async () => {
    const number = await openTicket(market.as(null, { locale: 'ta' }), letter({ topic: 'grievance' }), 'browser-1')
    expect(number).toMatch(/^SU-\d{6}$/)
    expect(await rows()).toMatchObject([
      {
        id: idOf(number),
        userId: null,
        name: 'Selvi',
        phone: '+919876543210',
        topic: 'grievance',
        content: 'Where is my goat?',
        locale: 'ta',
        closedAt: null,
      },
    ])
    // The market sends no SMS to a number that an anonymous visitor typed.
    expect(await sent()).toEqual([])
  })

  test('is confirmed by SMS to a logged-in person at their own number, and to no other number', async () => {
    await market.ctx.db.update(users).set({ locale: 'ta' }).where(eq(users.id, buyer.id))
    // The reader uses the English pages; the SMS uses the language of their settings.
    const ctx = market.as(buyer, { locale: 'en' })
    expect(await ownPhone(ctx)).toBe(buyer.phone)
    const number = await openTicket(ctx, letter({ phone: buyer.phone }), 'b')
    expect(await sent()).toMatchObject([
      { recipient: buyer.phone, userId: buyer.id, template: 'ticket-opened', locale: 'ta', variables: { number } },
    ])
    expect((await sent())[0]!.body).toContain(number)
    expect((await sent())[0]!.body).toContain('சந்தை')
    await openTicket(ctx, letter(), 'b')
    expect(await sent()).toHaveLength(1)
    expect((await listOwnTickets(ctx)).map((ticket) => ticket.number)).toEqual([ticketNumber(idOf(number) + 1), number])
    expect(await listOwnTickets(market.as(null))).toEqual([])
  })

  test('opens once when sent twice, even concurrently; another text from the same form, or another person, opens another', async () => {
    const one = letter()
    const ctx = market.as(null)
    const numbers = [await openTicket(ctx, one, 'b1'), ...(await Promise.all([openTicket(ctx, one, 'b1'), openTicket(ctx, one, 'b1')]))]
    expect(new Set(numbers).size).toBe(1)
    await openTicket(ctx, { ...one, content: 'And where is my cow?' }, 'b1')
    await openTicket(ctx, one, 'b2')
    await openTicket(market.as(buyer), one, 'b1')
    expect(await rows()).toHaveLength(4)
  })

  test.each<[string, object, string[]]>([
    ['no name', { name: ' ' }, ['name']],
    ['no phone', { phone: '' }, ['phone']],
    ['half a phone', { phone: '98765' }, ['phone']],
    ['no topic', { topic: '' }, ['topic']],
    ['another topic', { topic: 'refund' }, ['topic']],
    ['invisible text', { content: '\u200B\u3164\u202E' }, ['content']],
    ['an invisible name', { name: '\u3164' }, ['name']],
    ['no text', { content: ' \n ' }, ['content']],
    ['a NUL alone', { content: '\u0000' }, ['content']],
    ['half a surrogate pair', { content: '\ud800' }, ['content']],
    ['2,001 letters', { content: 'ஆ'.repeat(2001) }, ['content']],
    ['a made-up key', { key: 'x' }, ['key']],
  ])('is refused with %s', (_, changes, fields) => {
    const { error } = ticketInput.safeParse({
      name: 'Selvi',
      phone: '9876543210',
      topic: 'order',
      content: 'Hello',
      key: randomUUID(),
      ...changes,
    })
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual(fields)
  })

  test('may have 2,000 letters of any script, on several lines', () => {
    const content = 'கி'.repeat(999) + '\r\n'
    expect(letter({ content }).content).toBe('கி'.repeat(999))
    expect(letter({ content: ' a\tb\r\nc ' }).content).toBe('a b\nc')
  })

  describe('the form of a ticket', () => {
    interface From {
      browser?: string
      hasSessionEnded?: boolean
      more?: Record<string, string>
    }
    /** Returns the number on the next page, or the refusal's code. */
    const send = (viewer: Viewer | null, content: string, { browser = 'b', hasSessionEnded = false, more = {} }: From = {}) => {
      const fields = { name: 'Selvi', phone: '98765 43210', topic: 'other', content, key: randomUUID(), ...more }
      const ctx = { ...market.ctx, browserId: browser }
      return sendForm(ctx, action as never, { viewer, params: {}, fields, hasSessionEnded }).catch((error: unknown) => {
        if (!(error instanceof Response)) throw error
        const { pathname, searchParams, hash } = new URL(error.headers.get('Location')!, 'https://sandhai.test')
        expect([pathname.replace('/en', ''), hash]).toEqual(['/support', '#ticket'])
        return openSealed(ctx, searchParams.get('ticket'))
      })
    }

    test('accepts five a day from one person; the sixth is refused and does not block anybody else', async () => {
      expect(await send(buyer, '')).toBe('VALIDATION')
      for (let n = 0; n < 5; n += 1) expect(await send(buyer, `Letter ${n}`)).toMatch(/^SU-\d{6}$/)
      expect(await send(buyer, 'One more')).toBe('RATE_LIMITED')
      // A repeat of the last one is the same ticket, so it is not refused.
      const twice = await makeUser(market.ctx)
      const more = { key: randomUUID() }
      const numbers = [
        await send(twice, 'Tapped twice', { more }),
        ...(await Promise.all(Array.from({ length: 7 }, () => send(twice, 'Tapped twice', { more })))),
      ]
      expect(new Set(numbers).size).toBe(1)
      expect(await send(await makeUser(market.ctx), 'Mine')).toMatch(/^SU-/)
      expect(await rows()).toHaveLength(7)
    })

    test('accepts five a day from one browser without a login, independently of neighbours behind the same address', async () => {
      for (let n = 0; n < 5; n += 1) expect(await send(null, `Letter ${n}`, { browser: 'mine' })).toMatch(/^SU-/)
      expect(await send(null, 'One more', { browser: 'mine' })).toBe('RATE_LIMITED')
      expect(await send(null, 'Of the neighbour', { browser: 'theirs' })).toMatch(/^SU-/)
      expect(await send(buyer, 'With a login', { browser: 'mine' })).toMatch(/^SU-/)
    })

    test('accepts a hundred a day from one address, from any number of browsers', async () => {
      const expire = new Date(Date.now() + 3_600_000)
      await market.ctx.db.insert(limitCounts).values({ key: 'ticketAddress:203.0.113.7', points: 99, expire })
      expect(await send(null, 'The hundredth', { browser: 'one' })).toMatch(/^SU-/)
      expect(await send(null, 'One more', { browser: 'two' })).toBe('RATE_LIMITED')
      expect(await send(buyer, 'With a login')).toMatch(/^SU-/)
    })

    test('refuses a person whose login has expired; they may then send it without', async () => {
      expect(await send(null, 'My order', { hasSessionEnded: true })).toBe('AUTH_REQUIRED')
      expect(await rows()).toEqual([])
      expect(await send(null, 'My order', { hasSessionEnded: true, more: { as_nobody: '1' } })).toMatch(/^SU-/)
      expect(await rows()).toMatchObject([{ userId: null }])
    })
  })

  test('leads to a sealed confirmation address that nobody can forge', () => {
    const ctx = market.as(null)
    expect(openSealed(ctx, sealNumber(ctx, 'SU-000123'))).toBe('SU-000123')
    const other = ctx.vault.seal('forum-form', 'SU-000123').toString('base64url')
    for (const text of [null, '', 'SU-000123', other, 'x'.repeat(90)]) expect(openSealed(ctx, text)).toBeNull()
  })
})

describe('the queue of tickets', () => {
  test('is for admins only, oldest first', async () => {
    const first = await openTicket(market.as(null, { now: daysBefore(market.ctx.now, 2) }), letter(), 'b')
    const second = await openTicket(market.as(buyer), letter(), 'b')
    const { tickets: open, waiting } = await listTickets(market.as(admin), { isClosed: false })
    expect([waiting, open.map(({ number, userId }) => [number, userId])]).toEqual([
      2,
      [
        [first, null],
        [second, buyer.id],
      ],
    ])
    for (const viewer of [null, buyer, await makeUser(market.ctx, { typeId: 5 })])
      await expect(listTickets(market.as(viewer), { isClosed: false })).rejects.toMatchObject({
        code: viewer ? 'ROLE_FORBIDDEN' : 'AUTH_REQUIRED',
      })
  })

  test('notifies the person of the answer in their own language, stores the note, and closes once', async () => {
    await market.ctx.db.update(users).set({ locale: 'ta' }).where(eq(users.id, buyer.id))
    const id = idOf(await openTicket(market.as(buyer, { locale: 'en' }), letter(), 'b'))
    await closeTicket(market.as(admin, { locale: 'en' }), id, 'It comes tomorrow.')
    expect(await sent()).toMatchObject([{ recipient: buyer.phone, userId: buyer.id, template: 'ticket-closed', locale: 'ta' }])
    expect((await sent())[0]!.body).toContain('It comes tomorrow.')
    expect((await sent())[0]!.body).toContain('சந்தை')
    expect(await listOwnTickets(market.as(buyer))).toMatchObject([{ note: 'It comes tomorrow.' }])
    expect((await listTickets(market.as(admin), { isClosed: true })).tickets).toMatchObject([
      { id, closed: { by: 'Kumar', note: 'It comes tomorrow.' } },
    ])
    const open = await listTickets(market.as(admin), { isClosed: false })
    expect(open).toMatchObject({ tickets: [], waiting: 0, closed: 1 })
    // A ticket is found by id in any state; the page after the last is empty.
    expect(await getTicket(market.as(admin), id)).toMatchObject({ id })
    expect((await listTickets(market.as(admin), { isClosed: true, page: 2 })).tickets).toEqual([])
    const again = closeTicket(market.as(admin), id, 'Again')
    await expect(again.catch((error: Problem) => problemDetail(error, 'en'))).resolves.toMatch(
      /“Closed” \(Kumar, \d+-\w+-\d{4}, \d\d:\d\d\)/,
    )
    await expect(again).rejects.toMatchObject({ code: 'VERSION' })
    // The same form sent twice succeeds and tells nobody twice.
    await closeTicket(market.as(admin), id, 'It comes tomorrow.')
    await expect(closeTicket(market.as(admin), 999_999, 'Again')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await sent()).toHaveLength(1)
    const trail = await market.ctx.db.select().from(auditEvents).where(eq(auditEvents.event, 'ticket_closed'))
    expect(trail).toMatchObject([{ actorId: admin.id, object: `ticket:${id}`, details: {} }])
  })

  test('of two admins who close a ticket at once, one succeeds and the other is refused', async () => {
    const id = idOf(await openTicket(market.as(buyer), letter(), 'b'))
    const answers = await Promise.allSettled([closeTicket(market.as(admin), id, 'One'), closeTicket(market.as(admin), id, 'Two')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await sent()).toHaveLength(1)
  })

  test('closes an anonymous ticket without a notification', async () => {
    const id = idOf(await openTicket(market.as(null), letter({ phone: buyer.phone }), 'b'))
    await closeTicket(market.as(admin), id, 'Called them.')
    expect(await sent()).toEqual([])
  })

  test('is searched by number, phone, name, animal and words, in open and closed tickets', async () => {
    const ids: number[] = []
    const write = async (viewer: Viewer | null, changes: object) =>
      ids.push(idOf(await openTicket(market.as(viewer), letter(changes), 'b')))
    await write(null, { name: 'காவேரி', content: 'About COW-00014: is it 100% healthy?' })
    await write(buyer, { phone: '9123456780', content: 'My order is late' })
    await write(null, { name: 'Mani', content: 'cow 00014 has a cough, and COW-000145 too' })
    await closeTicket(market.as(admin), ids[2]!, 'The vet comes.')
    const found = async (text: string) => {
      const lists = [false, true].map((isClosed) => listTickets(market.as(admin), { isClosed, text }))
      const [open, closed] = await Promise.all(lists)
      expect([open!.waiting, closed!.closed]).toEqual([open!.tickets.length, closed!.tickets.length])
      return [...open!.tickets, ...closed!.tickets].map(({ id }) => ids.indexOf(id))
    }
    for (const text of [ticketNumber(ids[2]!), `su${ids[2]}`, String(ids[2])]) expect(await found(text), text).toEqual([2])
    for (const text of ['98765 43210', '+91-9876543210', '௯௮௭௬௫௪௩௨௧௦']) expect(await found(text), text).toEqual([0, 2])
    for (const text of ['91234 56780', buyer.phone]) expect(await found(text), text).toEqual([1])
    for (const text of ['COW-00014', 'cow 00014', 'Cow00014']) expect(await found(text), text).toEqual([0, 2])
    const words = { காவேரி: [0], 'healthy is': [0], 'vet MANI': [2], '100%': [0], '1%h': [], 'late healthy': [], '99887 76655': [] }
    for (const [text, numbers] of Object.entries(words)) expect(await found(text), text).toEqual(numbers)
  })

  test('closes by a form that needs a note and an admin', async () => {
    const id = idOf(await openTicket(market.as(buyer), letter(), 'b'))
    const send = (viewer: Viewer, fields: Record<string, string>) =>
      sendForm(market.ctx, closeAction as never, { viewer, params: {}, fields: { id: String(id), ...fields } }).catch((error: unknown) =>
        error instanceof Response ? error.status : Promise.reject(error as Error),
      )
    expect(await send(buyer, { note: 'x' })).toBe('ROLE_FORBIDDEN')
    expect(await send(admin, { note: ' ' })).toBe('VALIDATION')
    expect(await send(admin, { note: 'x'.repeat(301) })).toBe('VALIDATION')
    expect(await send(admin, { id: '0', note: 'x' })).toBe('NOT_FOUND')
    expect((await rows())[0]!.closedAt).toBeNull()
    expect(await send(admin, { note: 'Done' })).toBe(302)
    expect((await rows())[0]!.note).toBe('Done')
  })
})

describe('a stored ticket', () => {
  test('is in the person’s export and is erased with them, even if sent without a login', async () => {
    const leaver = await makeUser(market.ctx, { name: 'Leaver' })
    await openTicket(market.as(leaver), letter({ content: 'Mine' }), 'b')
    await openTicket(market.as(null), letter({ content: 'By my number', phone: leaver.phone }), 'b')
    await openTicket(market.as(buyer), letter({ content: 'Not theirs' }), 'b')
    expect(await exportPerson(market.ctx, leaver.id)).toMatchObject({
      tickets: [{ content: 'Mine', number: expect.stringMatching(/^SU-/) }],
    })
    expect(await forgetPerson(market.ctx, leaver.id)).toEqual([])
    expect((await rows()).map(({ content }) => content)).toEqual(['Not theirs'])
  })

  test('is deleted a year after its answer, never before', async () => {
    const [old, fresh, open] = [
      await openTicket(market.as(null), letter(), 'a'),
      await openTicket(market.as(null), letter(), 'b'),
      await openTicket(market.as(null), letter(), 'c'),
    ]
    await closeTicket(market.as(admin, { now: daysBefore(new Date(), KEEP_CLOSED_DAYS + 1) }), idOf(old), 'x')
    await closeTicket(market.as(admin, { now: daysBefore(new Date(), KEEP_CLOSED_DAYS - 1) }), idOf(fresh), 'x')
    await sweepTickets(market.ctx.db)
    expect((await rows()).map(({ id }) => ticketNumber(id))).toEqual([fresh, open])
  })
})

test('a number in an address is a valid ticket number or ignored', () => {
  expect(readTicketNumber('SU-000123')).toBe('SU-000123')
  for (const text of [null, '', 'SU-12', 'SU-00012<b>', 'su-000123', 'SU-0001234567890123']) expect(readTicketNumber(text)).toBeNull()
})
