import { redirect } from 'react-router'
import { z } from 'zod'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { typedAmount } from '#src/invoices/schemas.server.ts'
import { methodName } from '#src/invoices/settlement-text.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formHeaders, formLoader, pageAction, type FormRefusal } from '#src/kit/http/page.server.ts'
import { textLine } from '#src/kit/text/text.ts'
import { localized } from '#src/kit/text/locale.ts'
import { daysBefore, formatDay, indianDay, indianDayIn } from '#src/kit/time-money/dates.ts'
import { fieldRupees, formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { FilterForm } from '#src/ui/desk-filter.tsx'
import { Field, fieldsOf, MoneyField } from '#src/ui/field.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { DeskTitle } from '#src/ui/single-keys.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { noteHandin, readCashDay, type CashTaker } from './cash.server.ts'
import { Figures } from './figures.tsx'
import { MoneyTabs } from './money-tabs.tsx'
import type { Route } from './+types/cash-page'

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
  const noted = parseInput(handin, Object.fromEntries(form))
  await noteHandin(ctx, noted)
  throw redirect(localized(`/admin/money/cash?day=${noted.day}&done=1`, ctx.locale))
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.money_cash(), description: m.money_cash_lead() }))

type CashData = Route.ComponentProps['loaderData']
type Page = CashData & { refused: FormRefusal | undefined }
type Taker = CashData['takers'][number]

export default function CashPage({ loaderData, actionData }: Route.ComponentProps) {
  const page = { ...loaderData, refused: actionData?.refused }
  const { sums, takers, isDone, refused, dayText } = page
  return (
    <div className="space-y-4 py-2">
      <DeskTitle>{m.money_desk()}</DeskTitle>
      <MoneyTabs here="/admin/money/cash" />
      <Days page={page} />
      {isDone && !refused && <FormDone>{m.money_handin_done()}</FormDone>}
      <Figures
        figures={[
          { label: m.money_expected(), value: sums.expected },
          { label: m.order_cash(), value: sums.cash },
          { label: m.order_upi(), value: sums.upi },
          ...(sums.unrecorded ? [{ label: m.order_payment_open(), value: sums.unrecorded, isBad: true }] : []),
          ...(sums.out ? [{ label: m.money_out(), value: sums.out }] : []),
        ]}
      />
      {takers.length === 0 ? (
        <p className="panel p-4">{m.money_cash_none({ day: dayText })}</p>
      ) : (
        <ol className="halves">
          {takers.map((taker) => (
            <li key={taker.taker}>
              <TakerCard taker={taker} page={page} />
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function Days({ page: { day, today, dayText, before, after } }: { page: Page }) {
  const to = useLocalPath()
  return (
    <div className="row gap-2">
      <a href={to(`/admin/money/cash?day=${before}`)} className="button-plain">
        {m.money_day_before()}
      </a>
      <b className="px-2">{dayText}</b>
      {after && (
        <a href={to(`/admin/money/cash?day=${after}`)} className="button-plain">
          {m.money_day_after()}
        </a>
      )}
      <FilterForm action={to('/admin/money/cash')} className="flex items-end gap-2">
        <Field id="cash-day" name="day" type="date" max={today} label={m.money_day()} defaultValue={day} />
        <button type="submit" className="button-plain hidden noscript:inline-flex">
          {m.money_show()}
        </button>
      </FilterForm>
    </div>
  )
}

function TakerCard({ taker, page }: { taker: Taker; page: Page }) {
  const to = useLocalPath()
  return (
    <article className="panel overflow-hidden">
      <header className="row panel-title justify-between gap-x-3">
        <h2 className="min-w-0 text-lg break-words">{taker.name}</h2>
        {taker.difference && <span className="chip-bad">{m.money_difference({ amount: taker.difference })}</span>}
      </header>
      <ul className="divide-y divide-line px-4">
        {taker.orders.map((order) => (
          <li key={order.id} className="row justify-between gap-x-4 py-2">
            <a href={to(`/orders?q=${order.orderNo}`)} data-row-link className="link font-semibold whitespace-nowrap">
              {order.orderNo}
            </a>
            <span className="tabular-nums">{order.payable}</span>
            <span className={`text-sm tabular-nums ${order.isWrong ? 'font-semibold text-brick' : 'text-stone'}`}>
              {order.isDelivered ? (order.paid ?? m.order_payment_open()) : m.money_not_yet()}
            </span>
          </li>
        ))}
      </ul>
      <div className="space-y-3 border-t border-line p-4">
        <p>
          {m.money_expected()}: <b>{taker.expected}</b> · {m.order_cash()}: <b>{taker.cash}</b> · {m.order_upi()}: <b>{taker.upi}</b>
        </p>
        {taker.hasCash && <Handin taker={taker} page={page} />}
      </div>
    </article>
  )
}

function Handin({ taker, page }: { taker: Taker; page: Page }) {
  const { handin, left } = taker
  const isRefused = page.refused?.typed.taker === taker.taker
  if (!handin) return <HandinForm taker={taker} page={page} />
  return (
    <>
      <p className={left ? 'failure' : 'font-semibold text-leaf'}>
        {m.money_handed_in({ amount: handin.amount })} {left && m.money_handin_left({ amount: left })}
        {handin.note && <span className="block text-sm font-normal">“{handin.note}”</span>}
      </p>
      <details open={isRefused || undefined}>
        <summary className="tap-link text-sm">{m.settle_correct()}</summary>
        <HandinForm taker={taker} page={page} />
      </details>
    </>
  )
}

function HandinForm({ taker, page: { day, refused } }: { taker: Taker; page: Page }) {
  const to = useLocalPath()
  const its = refused?.typed.taker === taker.taker ? refused : undefined
  const field = fieldsOf(`handin-${taker.taker.replace(':', '-')}`, its)
  return (
    <PostForm
      ref={useFocusOnError(its)}
      reloadDocument
      action={to(`/admin/money/cash?day=${day}`)}
      noValidate
      onSubmit={sendOnce}
      className="grid items-end gap-3 has-aria-invalid:items-start sm:grid-cols-[12rem_1fr_auto]"
    >
      <HiddenFields day={day} taker={taker.taker} seen={taker.handin?.seen ?? 0} />
      <MoneyField {...field('amount', taker.toHandInRupees)} label={m.money_handin({ amount: taker.toHandIn })} />
      <Field {...field('note', taker.handin?.note)} autoComplete="off" maxLength={300} label={m.money_note_optional()} />
      <button type="submit" className="button-primary">
        {m.money_handin_save()}
      </button>
      {its && Object.keys(its.errors).length === 0 && (
        <div className="col-span-full">
          <FormFailure {...its} />
        </div>
      )}
    </PostForm>
  )
}
