import { useState } from 'react'
import { redirect } from 'react-router'
import { z } from 'zod'
import { NumberedName } from '#src/accounts/numbered-name.tsx'
import { payoutNumber } from '#src/invoices/rules.ts'
import { settledDay, settledReference } from '#src/invoices/schemas.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import type { Ctx } from '#src/kit/context.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { idIn } from '#src/kit/ids.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { localized } from '#src/kit/text/locale.ts'
import { fileRefusal } from '#src/kit/problem-text.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { formatDay, indianDay } from '#src/kit/time-money/dates.ts'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { payeeText } from '#src/selling/earnings/payees.server.ts'
import { textOfFile } from '#src/selling/import/read-import.server.ts'
import { DeskTable, type Column } from '#src/ui/desk-table.tsx'
import { Field, fieldsOf } from '#src/ui/field.tsx'
import { FileField } from '#src/ui/file-field.tsx'
import { FileForm, FoldedPanel } from '#src/ui/panels.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { Input } from '#src/ui/input.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { ReasonFields } from '#src/ui/reason-fields.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { Figures } from './figures.tsx'
import { failLines, lineKey, readPayout, recordPayout, storeReferences, type PaidLines, type PayoutLine } from './payouts.server.ts'
import { readReferences } from './read-references.ts'
import type { Route } from './+types/payout-page'

/** One payout: the bank's files, and the references that come back. */
export const loader = formLoader(async (ctx, { params, url }) => {
  const payout = await readPayout(ctx, idIn(params.payoutId))
  await audit(ctx, 'sensitive_read', `payout:${payout.id}`, { what: 'accounts' })
  const sumOf = (lines: PayoutLine[]) => formatRupees(lines.reduce((sum, { amount }) => sum + amount, 0n))
  const open = payout.lines.filter(({ state }) => state === 'open')
  const asked = url.searchParams.getAll('fail').map(Number)
  return {
    id: payout.id,
    number: payoutNumber(payout.id),
    made: m.payout_made({ name: payout.byName, day: formatDay(payout.at, ctx.locale) }, { locale: ctx.locale }),
    sum: sumOf(payout.lines),
    openSum: sumOf(open),
    openCount: open.length,
    methods: (['bank', 'upi'] as const).filter((method) => open.some(({ payee }) => payee?.method === method)),
    lines: payout.lines.map((line) => shown(ctx, line)),
    leftOut: Number(url.searchParams.get('left')) || 0,
    failing: open.filter(({ id }) => asked.includes(id)).map((line) => shown(ctx, line)),
    fileRefused: fileRefusal(url.searchParams.get('csv'), ctx.locale, 'PASSWORD_WRONG'),
    firstDay: indianDay(payout.at),
    today: indianDay(ctx.now),
  }
})

function shown({ locale }: Ctx, { id, payoutId, sellerId, name, payee, account, amount, state, reference, decidedAt }: PayoutLine) {
  return {
    id,
    key: lineKey({ id, payoutId }),
    sellerId,
    name: name || m.profile_deleted_user({}, { locale }),
    account: payee ? `${payeeText(payee)} · ${payee.holder}` : account,
    amount: formatRupees(amount),
    state,
    reference: state === 'failed' ? (failReasons[reference as FailReason]?.({}, { locale }) ?? '') : reference,
    decided: decidedAt && formatDay(decidedAt, locale),
  }
}

/** Reasons for which the bank did not pay, by the id that the line stores. */
const failReasons = { refused: m.payout_why_refused, account: m.payout_why_account, returned: m.payout_why_returned }
type FailReason = keyof typeof failReasons
const failed = z.object({ reason: z.enum(Object.keys(failReasons) as [FailReason], 'field_payout_why') })

type Done = PaidLines | { stored: number; refused: number[]; unknown: number } | { failed: true }

export const action = pageAction('payout', async (ctx, { form, params }): Promise<Done> => {
  const id = idIn(params.payoutId)
  const act = textOf(form, 'act')
  if (act === 'record' && form.has('fail')) {
    // The page that asks why comes next: what was typed for other lines is stored first.
    await storeReferences(ctx, id, new Map(referencesIn(form).map((line) => [line.id, line.reference])))
    throw redirect(localized(`/admin/money/payouts/${id}?fail=${idIn(textOf(form, 'fail'))}`, ctx.locale))
  }
  if (act === 'record') {
    const { day } = parseInput(z.object({ day: settledDay }), { day: textOf(form, 'day') })
    return recordPayout(ctx, id, { paidOn: day, lines: referencesIn(form) })
  }
  if (act === 'fail') {
    const { reason } = parseInput(failed, Object.fromEntries(form))
    await failLines(ctx, id, { ids: form.getAll('line').map((line) => idIn(String(line))), reason })
  } else if (act === 'references') {
    const { references, refused, unknown } = readReferences(await textOfFile(form.get('file')), id)
    return { stored: await storeReferences(ctx, id, references), refused, unknown }
  } else throw new Problem('MALFORMED')
  return { failed: true }
})

/** The lines with a typed reference. */
const referencesIn = (form: FormData) =>
  [...form.keys()]
    .filter((name) => name.startsWith('reference-') && textOf(form, name).trim() !== '')
    .map((name) => {
      const { [name]: reference } = parseInput(z.object({ [name]: settledReference }), { [name]: textOf(form, name) })
      return { id: idIn(name.slice('reference-'.length)), reference: reference as string }
    })

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({ title: m.payout_title({ number: page.number }), description: page.made }))

type PayoutData = Route.ComponentProps['loaderData']
type Line = PayoutData['lines'][number]

export default function PayoutPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const refused = actionData?.refused
  return (
    <div className="space-y-4 py-2">
      <a href={to('/admin/money/payouts')} className="tap-link font-semibold">
        {m.payouts()}
      </a>
      <div className="row gap-x-4">
        <h1 className="text-2xl">{page.number}</h1>
        <p className="text-stone">{page.made}</p>
      </div>
      {page.leftOut > 0 && <p className="notice">{m.payout_left_out({ count: page.leftOut })}</p>}
      {actionData?.done && <Outcome done={actionData.done} page={page} />}
      {page.failing.length > 0 && !actionData?.done && (
        <Failing page={page} refused={refused?.typed.act === 'fail' ? refused : undefined} />
      )}
      {refused && refused.typed.act !== 'record' && !page.failing.length && (
        <FormFailure {...refused} detail={refused.errors.table ?? refused.detail} />
      )}
      <Figures
        figures={[
          { label: m.money_all(), value: page.sum },
          { label: m.payout_open(), value: page.openSum },
        ]}
      />
      {page.openCount > 0 && <Files page={page} />}
      <Lines key={actionData?.done ? page.lines.map(({ reference }) => reference).join() : ''} page={page} refused={refused} />
    </div>
  )
}

/** Names the payments that the bank did not make, and asks why. Their sellers can be paid again at once. */
function Failing({ page: { id, failing }, refused }: { page: PayoutData; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const form = useFocusOnError(refused)
  return (
    <PostForm ref={form} reloadDocument noValidate onSubmit={sendOnce} className="form-panel">
      <input type="hidden" name="act" value="fail" />
      <h2 className="text-lg">{m.payout_fail_title({ count: failing.length })}</h2>
      <ul>
        {failing.map((line) => (
          <li key={line.id}>
            <input type="hidden" name="line" value={line.id} />
            {line.key} · <NumberedName name={line.name} id={line.sellerId} /> · <b>{line.amount}</b>
          </li>
        ))}
      </ul>
      <ReasonFields
        id="payout-fail"
        label={m.payout_why()}
        reasons={Object.entries(failReasons).map(([reason, text]) => ({ id: reason, name: text() }))}
        refused={refused}
      />
      {refused && !refused.errors.reason && <FormFailure {...refused} />}
      <div className="flex flex-wrap gap-3">
        <button type="submit" className="button-danger">
          {m.payout_mark_failed()}
        </button>
        <a href={to(`/admin/money/payouts/${id}`)} className="button-plain">
          {m.close()}
        </a>
      </div>
    </PostForm>
  )
}

function Outcome({ done, page: { id, lines } }: { done: Done; page: PayoutData }) {
  const to = useLocalPath()
  const names = 'stored' in done ? done.refused : []
  const refused = lines.filter((line) => line.state === 'open' && names.includes(line.id))
  const texts =
    'recorded' in done
      ? [m.payout_recorded({ count: done.recorded }), ...done.refused.map(({ sellerId, text }) => `#${sellerId}: ${text}`)]
      : 'stored' in done
        ? [
            m.payout_references_read({ count: done.stored }),
            ...(refused.length > 0 ? [m.payout_bank_refused({ lines: refused.map(({ key }) => key).join(', ') })] : []),
            ...(done.unknown > 0 ? [m.payout_rows_unknown({ count: done.unknown })] : []),
          ]
        : [m.payout_failed()]
  return (
    <div role="status" className="done">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
      {refused.length > 0 && (
        <a
          href={to(`/admin/money/payouts/${id}?${new URLSearchParams(refused.map((line) => ['fail', String(line.id)]))}`)}
          className="tap-link font-semibold"
        >
          {m.payout_fail_these({ count: refused.length })}
        </a>
      )}
    </div>
  )
}

/** The files that the bank takes, and the file that it gives back. */
function Files({ page: { id, methods, fileRefused } }: { page: PayoutData }) {
  const to = useLocalPath()
  const texts = { bank: m.payout_bank_file, upi: m.payout_upi_file }
  return (
    <div className="halves">
      <FileForm
        id="payout-file"
        title={m.payout_files()}
        refused={fileRefused}
        files={methods.map((method) => ({
          label: texts[method](),
          address: to(`/admin/money/payout.csv?payout=${id}&method=${method}`),
        }))}
      />
      <FoldedPanel title={m.payout_references()}>
        <PostForm reloadDocument encType="multipart/form-data" onSubmit={sendOnce} className="grid gap-3 px-4 pb-4">
          <FileField
            id="payout-references"
            name="file"
            accept=".csv,text/csv,text/plain"
            label={m.payout_references_file()}
            hint={m.payout_references_hint()}
          />
          <button type="submit" name="act" value="references" className="button-plain justify-self-start">
            {m.payout_references_read_now()}
          </button>
        </PostForm>
      </FoldedPanel>
    </div>
  )
}

/** The lines, with a field for the bank's reference of each open one, and one confirmation for all. */
function Lines({ page, refused }: { page: PayoutData; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const its = refused?.typed.act === 'record' ? refused : undefined
  const form = useFocusOnError(its)
  const [typed, setTyped] = useState<number | null>(null)
  const count = () =>
    setTyped(
      [...new FormData(form.current ?? undefined)].filter(([name, value]) => name.startsWith('reference-') && String(value).trim() !== '')
        .length,
    )
  const table = (
    <DeskTable
      caption={m.payout_title({ number: page.number })}
      columns={columns(its)}
      rows={page.lines}
      keyOf={({ id }) => id}
      addressOf={({ sellerId }) => to(`/admin/money/${sellerId}`)}
      foot={page.openCount > 0 && <Confirm page={page} refused={its} typed={typed} />}
    />
  )
  if (page.openCount === 0) return table
  return (
    <PostForm ref={form} reloadDocument noValidate onChange={count} onSubmit={sendOnce}>
      <input type="hidden" name="act" value="record" />
      {table}
    </PostForm>
  )
}

function Confirm({ page, refused, typed }: { page: PayoutData; refused: FormRefusal | undefined; typed: number | null }) {
  return (
    <div className="row grow items-end justify-between gap-4">
      <Field {...fieldsOf('payout', refused)('day', page.today)} type="date" min={page.firstDay} max={page.today} label={m.settle_day()} />
      {refused && !refused.errors.day && <FormFailure {...refused} detail={refused.errors.lines ?? refused.detail} />}
      <button type="submit" className="button-primary">
        {typed === null ? m.money_settle() : m.payout_record({ count: typed })}
      </button>
    </div>
  )
}

const columns = (refused: FormRefusal | undefined): Column<Line>[] => [
  { id: 'name', label: m.own_seller(), width: 'md:w-1/5', cell: ({ name, sellerId }) => <NumberedName name={name} id={sellerId} /> },
  { id: 'account', label: m.payout_account(), width: 'md:w-1/3', onCard: 'bare', cell: ({ account }) => account },
  { id: 'amount', label: m.orders_col_amount(), isNumber: true, onCard: 'bare', cell: ({ amount }) => <b>{amount}</b> },
  { id: 'key', label: m.payout_key(), cell: ({ key }) => key },
  { id: 'reference', label: m.earn_csv_paid_reference(), width: 'md:w-1/5', cell: (line) => <Reference line={line} refused={refused} /> },
  { id: 'state', label: m.order_status(), onCard: 'bare', cell: State },
]

function Reference({ line: { id, key, state, reference }, refused }: { line: Line; refused: FormRefusal | undefined }) {
  if (state !== 'open') return reference
  const name = `reference-${id}`
  return (
    <Input
      name={name}
      aria-label={m.payout_reference_of({ key })}
      aria-invalid={refused?.errors[name] !== undefined || undefined}
      defaultValue={refused?.typed[name] ?? reference}
      maxLength={80}
      autoComplete="off"
      className="w-full md:min-h-8 md:py-0 pointer-coarse:md:min-h-11"
    />
  )
}

function State({ id, key, state, decided }: Line) {
  if (state === 'paid')
    return (
      <>
        <span className="chip-good">{m.earn_paid()}</span> {decided}
      </>
    )
  if (state === 'failed')
    return (
      <>
        <span className="chip-bad">{m.payout_line_failed()}</span> {decided}
      </>
    )
  return (
    <button type="submit" name="fail" value={id} aria-label={m.payout_fail({ key })} className="tap-link text-sm md:min-h-8">
      {m.payout_mark_failed()}
    </button>
  )
}
