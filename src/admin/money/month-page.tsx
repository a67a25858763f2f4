import type { ComponentProps } from 'react'
import { NumberedName } from '#src/accounts/numbered-name.tsx'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { formHeaders, formLoader } from '#src/kit/http/page.server.ts'
import { fileRefusal } from '#src/kit/problem-text.ts'
import { formatMonth } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { DeskTable, TablePages, type Column } from '#src/ui/desk-table.tsx'
import { FileForm, SumLines } from '#src/ui/panels.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { readPageNumber, tableAddress } from '#src/ui/desk-query.ts'
import { askedMonth, monthAfter, monthBefore } from './asked-month.server.ts'
import { entryLines, sheetLines } from './month-view.server.ts'
import { readMonthEntries, readMonthSheet } from './month.server.ts'
import { MoneyTabs } from './money-tabs.tsx'
import { SELLERS_PER_PAGE } from './owed.server.ts'
import type { Route } from './+types/month-page'

/** The closing sheet of a month: every sale delivered in it, with its present state. */
export const loader = formLoader(async (ctx, { url }) => {
  const { month, now } = askedMonth(ctx, url)
  const { lines, sums } = await readMonthSheet(ctx, month)
  const entries = await readMonthEntries(ctx, month)
  const page = readPageNumber(url.searchParams.get('page'))
  return {
    month,
    now,
    fileRefused: fileRefusal(url.searchParams.get('csv'), ctx.locale, 'PASSWORD_WRONG'),
    name: formatMonth(month, ctx.locale),
    before: monthBefore(month),
    after: month < now ? monthAfter(month) : null,
    sales: sums.sales,
    sums: sheetLines(ctx, sums),
    entries: entryLines(ctx, entries),
    pages: { page, perPage: SELLERS_PER_PAGE, count: lines.length },
    sellers: lines.slice((page - 1) * SELLERS_PER_PAGE, page * SELLERS_PER_PAGE).map((line) => ({
      id: line.sellerId,
      name: line.name || m.profile_deleted_user({}, { locale: ctx.locale }),
      sales: line.sales,
      total: formatRupees(line.total),
      commission: formatRupees(line.commission),
      due: formatRupees(line.due),
      held: formatRupees(line.held),
      settled: formatRupees(line.settled),
      balance: line.balance === 0n ? '' : formatRupees(line.balance),
    })),
  }
})

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.money_sheet(), description: m.money_month_lead() }))

type Seller = Route.ComponentProps['loaderData']['sellers'][number]

export default function MonthPage({ loaderData: page }: Route.ComponentProps) {
  const to = useLocalPath()
  const { month, name, sums, entries, sellers } = page
  return (
    <div className="space-y-4 py-2">
      <h1 className="text-2xl">{m.money_desk()}</h1>
      <MoneyTabs here="/admin/money/month" />
      <div className="row gap-2">
        <a href={to(`/admin/money/month?month=${page.before}`)} className="button-plain">
          {m.money_month_before()}
        </a>
        <h2 className="px-2 text-xl">{name}</h2>
        {page.after && (
          <a href={to(`/admin/money/month?month=${page.after}`)} className="button-plain">
            {m.money_month_after()}
          </a>
        )}
      </div>
      {page.sales === 0 ? (
        <p className="panel p-4">{m.earn_none_month()}</p>
      ) : (
        <>
          <div className="grid items-start gap-4 *:min-w-0 lg:grid-cols-2">
            <Sums title={m.money_sheet_sales({ count: page.sales })} lines={sums} hasSum />
            <div className="space-y-4">
              <Sums title={m.money_sheet_entries()} lines={entries} />
              <FileForm
                id="month-file"
                title={m.file_form()}
                refused={page.fileRefused}
                files={[
                  { label: m.money_sheet_pdf(), address: to(`/admin/money/month.pdf?month=${month}`) },
                  { label: m.earn_csv(), address: to(`/admin/money/month.csv?month=${month}`) },
                ]}
              />
            </div>
          </div>
          <DeskTable
            caption={m.money_owed()}
            columns={columns()}
            rows={sellers}
            keyOf={({ id }) => id}
            addressOf={({ id }) => to(`/admin/money/${id}`)}
          />
          <TablePages {...page.pages} pageAddress={(page) => to(tableAddress('/admin/money/month', { month, page }))} />
        </>
      )}
    </div>
  )
}

function Sums({ title, ...lines }: { title: string } & ComponentProps<typeof SumLines>) {
  return (
    <section className="panel p-4">
      <h3 className="text-base">{title}</h3>
      <SumLines {...lines} />
    </section>
  )
}

const columns = (): Column<Seller>[] => [
  { id: 'name', label: m.own_seller(), width: 'md:w-1/4', cell: (seller) => <NumberedName {...seller} /> },
  { id: 'sales', label: m.money_sales(), isNumber: true, cell: ({ sales }) => sales },
  { id: 'total', label: m.earn_total(), isNumber: true, cell: ({ total }) => total },
  { id: 'commission', label: m.earn_commission(), isNumber: true, cell: ({ commission }) => commission },
  { id: 'due', label: m.money_column_due(), isNumber: true, cell: ({ due }) => due },
  { id: 'held', label: m.money_column_held(), isNumber: true, cell: ({ held }) => held },
  { id: 'settled', label: m.money_column_settled(), isNumber: true, cell: ({ settled }) => settled },
  { id: 'balance', label: m.money_balance(), isNumber: true, cell: ({ balance }) => <b>{balance}</b> },
]
