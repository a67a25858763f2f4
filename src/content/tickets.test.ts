import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import { users } from '#src/accounts/tables.ts'
import { action as closeAction } from '#src/admin/tickets-page.tsx'
import type { Viewer } from '#src/kit/context.ts'
import { daysBefore } from '#src/kit/dates.ts'
import { auditEvents, idempotency, limitCounts, outbox } from '#src/kit/tables.ts'
import { sendForm } from '../testing/send-form.ts'
import { openTestMarket, type TestMarket } from '../testing/test-market.ts'
import { exportPerson, forgetPerson } from './privacy.server.ts'
import { action } from './support-page.tsx'
import { tickets } from './tables.ts'
import { readTicketNumber, ticketInput, ticketNumber } from './ticket-schemas.ts'
import { closeTicket, KEEP_CLOSED_DAYS, listOwnTickets, listTickets, openTicket, ownPhone, sweepTickets } from './tickets.server.ts'

let market: TestMarket
let buyer: Viewer & { phone: string }
let admin: Viewer
beforeAll(async () => {
  market = await openTestMarket()
  buyer = await makeUser(market.ctx, { name: 'Selvi' })
  admin = await makeUser(market.ctx, { typeId: 9, name: 'Kumar' })
})
afterAll(() => market?.close())
beforeEach(async () => {
  for (const table of [tickets, outbox, idempotency, limitCounts]) await market.ctx.db.delete(table)
})

const letter = (changes: object = {}) =>
  ticketInput.parse({ name: 'Selvi', phone: '9876543210', topic: 'order', content: 'Where is my goat?', key: randomUUID(), ...changes })
const rows = () => market.ctx.db.select().from(tickets).orderBy(tickets.id)
const sent = () => market.ctx.db.select().from(outbox).orderBy(outbox.id)
const idOf = (number: string) => Number(number.slice(3))

describe('a letter to support', () => {
  test('gets a number, from whoever writes it', async () => {
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
    // A number that somebody has only typed gets no SMS from us.
    expect(await sent()).toEqual([])
  })

  test('is confirmed by SMS to whoever is logged in and gives his own number, and to no other number', async () => {
    const ctx = market.as(buyer, { locale: 'en' })
    expect(await ownPhone(ctx)).toBe(buyer.phone)
    const number = await openTicket(ctx, letter({ phone: buyer.phone }), 'b')
    expect(await sent()).toMatchObject([
      { recipient: buyer.phone, userId: buyer.id, template: 'ticket-opened', locale: 'en', variables: { number } },
    ])
    expect((await sent())[0]!.body).toContain(number)
    await openTicket(ctx, letter(), 'b')
    expect(await sent()).toHaveLength(1)
    expect((await listOwnTickets(ctx)).map((ticket) => ticket.number)).toEqual([ticketNumber(idOf(number) + 1), number])
    expect(await listOwnTickets(market.as(null))).toEqual([])
  })

  test('sent twice, even at the same time, is one; another letter in the same form is another, and so is the same of somebody else', async () => {
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
    ['nothing said', { content: ' \n ' }, ['content']],
    ['a NUL', { content: 'a\u0000b' }, ['content']],
    ['half a character', { content: 'a\ud800' }, ['content']],
    ['2,001 letters', { content: 'ஆ'.repeat(2001) }, ['content']],
    ['a made-up key', { key: 'x' }, ['key']],
  ])('is not taken with %s', (_, changes, fields) => {
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

  test('may be 2,000 letters of any script, on several lines', () => {
    const content = 'கி'.repeat(999) + '\r\n'
    expect(letter({ content }).content).toBe('கி'.repeat(999))
    expect(letter({ content: ' a\tb\r\nc ' }).content).toBe('a b\nc')
  })

  test('comes by the form, five a day from one person; the sixth is refused and keeps nobody else from writing', async () => {
    const send = (viewer: Viewer, content: string, key = randomUUID()) =>
      sendForm(market.ctx, action as never, {
        viewer,
        params: {},
        fields: { name: 'Selvi', phone: '98765 43210', topic: 'other', content, key },
      }).catch((error: unknown) => (error instanceof Response ? error.headers.get('Location') : Promise.reject(error as Error)))
    expect(await send(buyer, '')).toBe('VALIDATION')
    for (let n = 0; n < 5; n += 1) expect(await send(buyer, `Letter ${n}`)).toMatch(/^(\/en)?\/support\?ticket=SU-\d{6}$/)
    expect(await send(buyer, 'One more')).toBe('RATE_LIMITED')
    // The last one again, by a second tap: it is the same letter, and not refused.
    const twice = await makeUser(market.ctx)
    const key = randomUUID()
    const numbers = [
      await send(twice, 'Tapped twice', key),
      ...(await Promise.all(Array.from({ length: 7 }, () => send(twice, 'Tapped twice', key)))),
    ]
    expect(new Set(numbers).size).toBe(1)
    expect(await send(await makeUser(market.ctx), 'Mine')).toContain('SU-')
    expect(await rows()).toHaveLength(7)
  })
})

describe('the queue of letters', () => {
  test('is read by admins only, the oldest first', async () => {
    const first = await openTicket(market.as(null, { now: daysBefore(market.ctx.now, 2) }), letter(), 'b')
    const second = await openTicket(market.as(buyer), letter(), 'b')
    const { tickets: open, waiting } = await listTickets(market.as(admin), false)
    expect([waiting, open.map(({ number, userId }) => [number, userId])]).toEqual([
      2,
      [
        [first, null],
        [second, buyer.id],
      ],
    ])
    for (const viewer of [null, buyer, await makeUser(market.ctx, { typeId: 5 })])
      await expect(listTickets(market.as(viewer), false)).rejects.toMatchObject({ code: viewer ? 'ROLE_FORBIDDEN' : 'AUTH_REQUIRED' })
  })

  test('is worked off: the person is told in his own language, the note stays, and it cannot be closed twice', async () => {
    await market.ctx.db.update(users).set({ locale: 'ta' }).where(eq(users.id, buyer.id))
    const id = idOf(await openTicket(market.as(buyer, { locale: 'en' }), letter(), 'b'))
    await closeTicket(market.as(admin, { locale: 'en' }), id, 'It comes tomorrow.')
    expect(await sent()).toMatchObject([{ recipient: buyer.phone, userId: buyer.id, template: 'ticket-closed', locale: 'ta' }])
    expect((await sent())[0]!.body).toContain('It comes tomorrow.')
    expect((await sent())[0]!.body).toContain('சந்தை')
    expect(await listOwnTickets(market.as(buyer))).toMatchObject([{ note: 'It comes tomorrow.' }])
    expect((await listTickets(market.as(admin), true)).tickets).toMatchObject([{ id, closed: { by: 'Kumar', note: 'It comes tomorrow.' } }])
    expect((await listTickets(market.as(admin), false)).tickets).toEqual([])
    await expect(closeTicket(market.as(admin), id, 'Again')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await sent()).toHaveLength(1)
    const trail = await market.ctx.db.select().from(auditEvents).where(eq(auditEvents.event, 'ticket_closed'))
    expect(trail).toMatchObject([{ actorId: admin.id, object: `ticket:${id}`, details: {} }])
  })

  test('is worked off by two admins at once: one closes, the other is told', async () => {
    const id = idOf(await openTicket(market.as(buyer), letter(), 'b'))
    const answers = await Promise.allSettled([closeTicket(market.as(admin), id, 'One'), closeTicket(market.as(admin), id, 'Two')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await sent()).toHaveLength(1)
  })

  test('closes what came from nobody without telling anybody', async () => {
    const id = idOf(await openTicket(market.as(null), letter({ phone: buyer.phone }), 'b'))
    await closeTicket(market.as(admin), id, 'Called him.')
    expect(await sent()).toEqual([])
  })

  test('is closed by its form, with a note, by admins', async () => {
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

describe('what is kept of letters', () => {
  test('a person can take away, and it goes with him, also what he wrote without a login', async () => {
    const leaver = await makeUser(market.ctx, { name: 'Leaver' })
    await openTicket(market.as(leaver), letter({ content: 'Mine' }), 'b')
    await openTicket(market.as(null), letter({ content: 'By my number', phone: leaver.phone }), 'b')
    await openTicket(market.as(buyer), letter({ content: 'Not his' }), 'b')
    expect(await exportPerson(market.ctx, leaver.id)).toMatchObject({
      tickets: [{ content: 'Mine', number: expect.stringMatching(/^SU-/) }],
    })
    expect(await forgetPerson(market.ctx, leaver.id)).toEqual([])
    expect((await rows()).map(({ content }) => content)).toEqual(['Not his'])
  })

  test('is forgotten a year after it was answered, and never before', async () => {
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

test('a number in an address is one of ours or nothing', () => {
  expect(readTicketNumber('SU-000123')).toBe('SU-000123')
  for (const text of [null, '', 'SU-12', 'SU-00012<b>', 'su-000123', 'SU-0001234567890123']) expect(readTicketNumber(text)).toBeNull()
})
