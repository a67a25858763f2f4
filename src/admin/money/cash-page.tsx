import { redirect } from 'react-router'
import { z } from 'zod'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { typedAmount } from '#src/invoices/schemas.server.ts'
import { methodName } from '#src/invoices/settlement-text.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { textLine } from '#src/kit/text/text.ts'
import { localized } from '#src/kit/text/locale.ts'
import { daysBefore, formatDay, indianDay, indianDayIn } from '#src/kit/time-money/dates.ts'
import { fieldRupees, formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { CashView } from './cash-view.tsx'
import { noteHandin, readCashDay, type CashTaker } from './cash.server.ts'
import type { Route } from './+types/cash-page'
import { parseInput } from '#src/kit/parse-input.ts'

const dayShape = z.iso.date()

/** The day's deliveries by who took the money: the amount due, the amount recorded, and the amount handed in. */
export const loader = formLoader(async (ctx, { url }) => {
  const today = indianDay(ctx.now)
  const day = dayShape.safeParse(url.searchParams.get('day')).data ?? today
  const takers = await readCashDay(ctx, day)
  const sum = (key: 'expected' | 'cash' | 'upi' | 'unrecorded' | 'out') => takers.reduce((total, each) => total + each[key], 0n)
  const at = new Date(day)
  return {
    day,
    today,
    dayText: formatDay(at, ctx.locale),
    before: indianDay(daysBefore(at, 1)),
    after: day < today ? indianDayIn(at, 1) : null,
    sums: {
      expected: formatRupees(sum('expected')),
      cash: formatRupees(sum('cash')),
      upi: formatRupees(sum('upi')),
      unrecorded: sum('unrecorded') === 0n ? null : formatRupees(sum('unrecorded')),
      out: sum('out') === 0n ? null : formatRupees(sum('out')),
    },
    takers: takers.map((taker) => shown(ctx, taker)),
    isDone: url.searchParams.has('done'),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

function shown({ locale }: Ctx, { taker, name, orders, handin, toHandIn, ...sums }: CashTaker) {
  const left = handin === null ? null : handin.amount - toHandIn
  return {
    taker,
    name: name ?? m.money_office({}, { locale }),
    expected: formatRupees(sums.expected),
    cash: formatRupees(sums.cash),
    upi: formatRupees(sums.upi),
    difference: sums.difference === 0n ? null : formatRupees(sums.difference),
    toHandIn: formatRupees(toHandIn),
    toHandInRupees: fieldRupees(handin?.amount ?? toHandIn),
    hasCash: toHandIn > 0n || handin !== null,
    handin: handin && { amount: formatRupees(handin.amount), note: handin.note, seen: handin.id },
    left: left === null || left === 0n ? null : formatRupees(left),
    orders: orders.map((order) => ({
      id: order.orderId,
      orderNo: order.orderNo,
      payable: formatRupees(order.payable),
      paid: order.method === null ? null : `${formatRupees(order.amount)} · ${methodName(order.method, locale)}`,
      isWrong: order.isDelivered && (order.method === null || order.amount !== order.payable),
      isDelivered: order.isDelivered,
    })),
  }
}

const MAX_NOTE = 300
const handin = z.object({
  day: dayShape,
  taker: textLine(40),
  amount: typedAmount,
  note: textLine(MAX_NOTE),
  seen: z.coerce.number().int('field_wrong'),
})

export const action = pageAction('cash', async (ctx, { form }): Promise<never> => {
  const noted = parseInput(handin, Object.fromEntries(['day', 'taker', 'amount', 'note', 'seen'].map((name) => [name, textOf(form, name)])))
  await noteHandin(ctx, noted)
  throw redirect(localized(`/admin/money/cash?day=${noted.day}&done=1`, ctx.locale))
})

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/money/cash', title: m.money_cash(), description: m.money_cash_lead() }) : []

export default function CashPage({ loaderData, actionData }: Route.ComponentProps) {
  return <CashView {...loaderData} refused={actionData?.refused} />
}

export type CashData = Route.ComponentProps['loaderData']
