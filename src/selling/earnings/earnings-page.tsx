import { redirect } from 'react-router'
import { findCodeUser } from '#src/accounts/identity/login.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { fileRefusal } from '#src/kit/problem-text.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { FileForm, SumLines } from '#src/ui/panels.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Pager } from '#src/ui/pager.tsx'
import { askedEarnings } from './asked.server.ts'
import { listMonths, listSales, readUnderWay, readSeller } from './earnings.server.ts'
import { salesText, shownBalance, shownMonth, shownSale, sumLines, totalOf, type ShownSale } from './earnings-view.server.ts'
import { PayeeSection, type ShownPayee } from './payee-section.tsx'
import { findPayees, maskedPayee, payeeShape, removePayee, savePayee, typedPayee } from './payees.server.ts'
import type { Route } from './+types/earnings-page'

/** Amount due and paid per sale, and the sums of each month. Admins can open any seller's page. */
export const loader = formLoader(async (ctx, { url }) => {
  const { sellerId, month: asked } = await askedEarnings(ctx, url)
  const months = await listMonths(ctx, sellerId)
  // Without a month in the address, show the newest one with sales.
  const month = asked ?? months[0]?.month ?? null
  const afterId = parseId(url.searchParams.get('after') ?? undefined)
  const { sales, nextAfterId } = await listSales(ctx, { sellerId, month, afterId })
  const sums = months.find((each) => each.month === month)
  const underWay = await readUnderWay(ctx, sellerId)
  const isOwn = sellerId === ctx.viewer!.id
  return {
    sellerId,
    isOwn,
    fileRefused: fileRefusal(url.searchParams.get('csv'), ctx.locale, 'PASSWORD_WRONG'),
    payee: isOwn ? await readOwnPayee(ctx, sellerId) : null,
    hasPassword: (await findCodeUser(ctx)) === null,
    isPayeeDone: url.searchParams.has('done'),
    sellerName: isOwn ? '' : (await readSeller(ctx, sellerId)).name,
    open: shownBalance(totalOf(months).balance),
    underWay: underWay.orders === 0 ? null : { count: underWay.orders, due: formatRupees(underWay.due) },
    months: months.map((each) => shownMonth(ctx, each)),
    month,
    sums: sums ? { count: salesText(sums.sales, ctx), lines: sumLines(ctx, sums) } : null,
    sales: sales.map((sale) => shownSale(ctx, sale)),
    next: nextAfterId,
    isFirst: afterId === null,
  }
})

async function readOwnPayee(ctx: Ctx, sellerId: number): Promise<ShownPayee | null> {
  const known = (await findPayees(ctx, [sellerId])).get(sellerId)
  if (!known) return null
  const { method, holder } = known.payee
  return { method, holder, account: maskedPayee(known.payee), changed: formatDay(known.changedAt, ctx.locale) }
}

export const action = pageAction('earnings', async (ctx, { form }): Promise<never> => {
  const act = textOf(form, 'act')
  if (act === 'payee') {
    const { password, ...typed } = parseInput(typedPayee, Object.fromEntries(form))
    await savePayee(ctx, payeeShape.parse(typed), password)
  } else if (act === 'payee-remove') await removePayee(ctx)
  else throw new Problem('MALFORMED')
  throw redirect(localized('/earnings?done=1', ctx.locale))
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.earn_title(), description: m.earn_lead() }))

type EarningsData = Route.ComponentProps['loaderData']

export default function EarningsPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  return (
    <div className="page-column max-w-3xl">
      <header className="space-y-1">
        <h1 className="text-2xl break-words">{page.isOwn ? m.earn_title() : m.earn_of({ name: page.sellerName })}</h1>
        {page.isOwn && <p className="text-stone">{m.earn_lead()}</p>}
      </header>
      <Open page={page} />
      {page.isOwn && (
        <PayeeSection payee={page.payee} hasPassword={page.hasPassword} isDone={page.isPayeeDone} refused={actionData?.refused} />
      )}
      {page.months.length === 0 ? (
        <div className="empty-panel">
          <p>{m.earn_none()}</p>
          {page.isOwn && (
            <a href={to('/sell')} className="button-primary">
              {m.own_sell()}
            </a>
          )}
        </div>
      ) : (
        <>
          <Months page={page} />
          <Month page={page} />
        </>
      )}
    </div>
  )
}

type Page = { page: EarningsData }

/** An address of this page or of its files, for the same seller. */
function useEarningsPath({ isOwn, sellerId }: EarningsData) {
  const to = useLocalPath()
  return (file: '' | '.csv' | '.pdf', query: Record<string, string> = {}) => {
    const all = new URLSearchParams({ ...(!isOwn && { seller: String(sellerId) }), ...query })
    return to(`/earnings${file}${all.size > 0 ? `?${all}` : ''}`)
  }
}

/** The most important figure: the open balance. */
function Open({ page: { open, underWay, months, isOwn } }: Page) {
  const to = useLocalPath()
  return (
    <section className="panel space-y-2 p-4">
      {open.side ? (
        <p>
          <span className="block text-stone">{open.side === 'sandhai' ? m.earn_open() : m.earn_owe()}</span>
          <b className={`text-3xl leading-tight ${open.side === 'sandhai' ? 'text-leaf' : 'text-brick'}`}>{open.amount}</b>
        </p>
      ) : (
        months.length > 0 && (
          <p className="flex items-center gap-2 font-semibold text-leaf">
            <Icon name="badge" size={22} className="shrink-0" />
            {m.earn_open_none()}
          </p>
        )
      )}
      {underWay ? (
        <p>
          {m.earn_under_way({ count: underWay.count, amount: underWay.due })}{' '}
          {isOwn && (
            <a href={to('/seller-product/?tab=1')} className="tap-link font-semibold">
              {m.earn_under_way_go()}
            </a>
          )}
        </p>
      ) : (
        months.length === 0 && <p>{m.own_empty_ordered()}</p>
      )}
    </section>
  )
}

function Months({ page }: Page) {
  const path = useEarningsPath(page)
  return (
    <nav aria-label={m.earn_months()}>
      <ul className="flex gap-2 overflow-x-auto pb-1">
        {page.months.map(({ month, name, due }) => (
          <li key={month} className="shrink-0">
            <a
              href={path('', { month })}
              aria-current={month === page.month ? 'page' : undefined}
              className="block rounded-control border border-line bg-paper px-3 py-2 hover:bg-leaf-soft aria-[current=page]:border-leaf aria-[current=page]:bg-leaf-soft"
            >
              <span className="block text-sm">{name}</span>
              <b>{due}</b>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Month({ page }: Page) {
  const path = useEarningsPath(page)
  const { month, sums, sales } = page
  if (month === null || !sums) return <p className="panel p-4">{m.earn_none_month()}</p>
  const name = page.months.find((each) => each.month === month)?.name ?? month
  return (
    <section aria-labelledby="earnings-month" className="space-y-4">
      <Sums page={page} month={month} name={name} sums={sums} />
      {!page.isOwn && (
        <FileForm
          id="earnings-file"
          title={m.file_form()}
          refused={page.fileRefused}
          files={[
            { label: m.earn_pdf(), address: path('.pdf', { month }) },
            { label: m.earn_csv(), address: path('.csv', { month }) },
            ...(page.months.length > 1 ? [{ label: m.earn_csv_all(), address: path('.csv') }] : []),
          ]}
        />
      )}
      <ol className="space-y-3">
        {sales.map((sale) => (
          <li key={sale.id}>
            <SaleCard sale={sale} />
          </li>
        ))}
      </ol>
      <Pager
        label={m.earn_title()}
        first={page.isFirst ? null : path('', { month })}
        next={page.next === null ? null : path('', { month, after: String(page.next) })}
      />
      {page.isOwn && page.months.length > 1 && (
        <a href={path('.csv')} download className="tap-link">
          {m.earn_csv_all()}
        </a>
      )}
    </section>
  )
}

type SumsProps = Page & { month: string; name: string; sums: NonNullable<EarningsData['sums']> }

/** The sums of a month; a seller's own with the files to download. */
function Sums({ page, month, name, sums: { count, lines } }: SumsProps) {
  const path = useEarningsPath(page)
  return (
    <div className="panel p-4">
      <div className="row justify-between gap-x-4">
        <h2 id="earnings-month" className="text-xl">
          {name}
        </h2>
        <span className="text-stone">{count}</span>
      </div>
      <SumLines hasSum lines={lines} />
      {page.isOwn && (
        <p className="mt-3 grid gap-2 sm:grid-cols-2">
          <a href={path('.pdf', { month })} download className="button-primary">
            {m.earn_pdf()}
          </a>
          <a href={path('.csv', { month })} download className="button-plain">
            {m.earn_csv()}
          </a>
        </p>
      )}
    </div>
  )
}

function SaleCard({ sale }: { sale: ShownSale }) {
  const to = useLocalPath()
  return (
    <article id={`s${sale.id}`} className="panel p-4">
      <header className="row justify-between gap-x-3 gap-y-1">
        <h3 className="min-w-0 text-base break-words">{sale.name}</h3>
        <Standing sale={sale} />
      </header>
      <p className="text-sm text-stone">
        {sale.orderNo} · {sale.code} · <span className="whitespace-nowrap">{sale.delivered}</span>
      </p>
      {sale.listed && <p className="text-sm break-words">{sale.listed}</p>}
      <dl className="mt-2">
        <Row label={sale.price ?? m.earn_total()} amount={sale.total} />
        <Row label={m.earn_commission_at({ percent: sale.commissionPercent })} amount={sale.commission} />
        <Row label={m.earn_due()} amount={sale.due} isSum />
        {sale.held && <Row label={m.earn_held()} amount={sale.held} />}
      </dl>
      <div className="mt-2 space-y-1 text-sm">
        <p>
          <span className="text-stone">{m.earn_collected()}:</span> {sale.collected}
        </p>
        {sale.discount && <p>{m.earn_discount({ amount: sale.discount })}</p>}
        {sale.paid && (
          <p className="break-words">
            <span className="text-stone">{m.earn_settled()}:</span> {sale.paid}
          </p>
        )}
      </div>
      <a href={to(`/orders/${sale.id}/invoice?of=commission`)} className="tap-link text-sm">
        {m.order_commission_invoice()}
      </a>
    </article>
  )
}

function Standing({ sale: { balance, age, isPartly } }: { sale: ShownSale }) {
  if (balance.side === null) return <span className="chip-good">{m.earn_paid()}</span>
  if (balance.side === 'seller') return <span className="chip-bad">{m.earn_owed({ amount: balance.amount })}</span>
  return <span className="chip-heed">{isPartly ? m.earn_to_come({ amount: balance.amount }) : age}</span>
}

const Row = ({ label, amount, isSum = false }: { label: string; amount: string; isSum?: boolean }) => (
  <div className={`flex items-baseline justify-between gap-4 ${isSum ? 'mt-1 border-t border-line pt-1 font-bold' : ''}`}>
    <dt className="min-w-0">{label}</dt>
    <dd className="whitespace-nowrap tabular-nums">{amount}</dd>
  </div>
)
