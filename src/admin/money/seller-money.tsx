import { useEffect, useState, type RefObject } from 'react'
import { NumberedName } from '#src/accounts/numbered-name.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { PhoneLink } from '#src/accounts/phone-link.tsx'
import { SettlementFields } from '#src/invoices/settlement-fields.tsx'
import { formatRupees } from '#src/kit/time-money/money.ts'
import { m } from '#src/paraglide/messages.js'
import { Choice } from '#src/ui/choice.tsx'
import { LostDecision } from '#src/ui/desk-beside.tsx'
import { tableAddress } from '#src/ui/desk-query.ts'
import { TablePages } from '#src/ui/desk-table.tsx'
import { Field, fieldsOf, MoneyField, OwnPasswordField } from '#src/ui/field.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { SingleKeys } from '#src/ui/single-keys.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import type { SellerMoneyData } from './seller-money-view.server.ts'
import { sumOf } from './sum-of.ts'

type Page = SellerMoneyData & { refused: FormRefusal | undefined }
type OpenSale = SellerMoneyData['open'][number]
type Recorded = SellerMoneyData['recorded'][number]

const doneTexts = { settled: m.money_done_settled, back: m.money_done_back }

export function SellerMoneyView(page: Page) {
  const to = useLocalPath()
  const { name, phone, sellerId, open, recorded, done, refused, pages, perPage, counts } = page
  const pagesOf = (which: keyof typeof pages) => (
    <TablePages
      page={pages[which]}
      perPage={perPage}
      count={counts[which]}
      pageAddress={(page) => to(tableAddress(`/admin/money/${sellerId}`, { ...pages, [which]: page }))}
    />
  )
  return (
    <div className="space-y-4 py-2">
      <a href={to('/admin/money')} className="tap-link font-semibold">
        {m.money_back()}
      </a>
      <header className="row justify-between gap-x-4">
        <h1 className="min-w-0 text-2xl break-words">
          <NumberedName name={name || m.profile_deleted_user()} id={sellerId} />
        </h1>
        <p className="row gap-x-4">
          {name && <PhoneLink phone={phone} className="tap-link" />}
          <a href={to(`/admin/users/${sellerId}`)} className="tap-link">
            {m.money_person()}
          </a>
          <a href={to(`/earnings?seller=${sellerId}`)} className="tap-link">
            {m.earn_title()}
          </a>
        </p>
        <SingleKeys />
      </header>
      <PayTo {...page} />
      {done && !refused && <FormDone>{doneTexts[done]()}</FormDone>}
      <Lost {...page} />
      {open.length === 0 ? <p className="panel p-4">{m.money_seller_none()}</p> : <SettleForm {...page} />}
      {pagesOf('open')}
      {recorded.length > 0 && (
        <section aria-labelledby="recorded" className="space-y-3">
          <h2 id="recorded" className="text-xl">
            {m.money_recorded()}
          </h2>
          <ol className="panel divide-y divide-line">
            {recorded.map((sale) => (
              <li key={sale.id} id={`sale-${sale.id}`} className="scroll-mt-20 p-4">
                <RecordedSale sale={sale} page={page} />
              </li>
            ))}
          </ol>
          {pagesOf('recorded')}
        </section>
      )}
    </div>
  )
}

/** The seller's account, and the payout that is paying them. */
function PayTo({ payee, paying }: Page) {
  const to = useLocalPath()
  return (
    <>
      <p className="break-words">
        <span className="text-stone">{m.payout_account()}:</span> {payee ?? m.payout_no_account()}
      </p>
      {paying && (
        <p className="notice">
          {m.payout_paying({ amount: paying.amount })}{' '}
          <a href={to(`/admin/money/payouts/${paying.id}`)} className="link font-semibold">
            {paying.number}
          </a>
        </p>
      )}
    </>
  )
}

/** The refusal of an act whose form is gone, because another admin did it first. */
function Lost({ open, recorded, refused }: Page) {
  const { act, id, reference, note } = refused?.typed ?? {}
  const hasForm = act === 'settle' ? open.length > 0 : recorded.some((sale) => String(sale.id) === id && !sale.isBack)
  const lost = hasForm ? undefined : refused
  const place = useFocusOnError<HTMLDivElement>(lost)
  if (!lost) return null
  const typed = { note: [reference, note].filter(Boolean).join(' · ') }
  return (
    <div ref={place}>
      <LostDecision refused={{ ...lost, typed }} gone={lost.detail} />
    </div>
  )
}

/** The form that settles the ticked sales with one payment. */
function SettleForm({ open, today, firstDay, sellerId, refused }: Page) {
  const to = useLocalPath()
  const its = refused?.typed.act === 'settle' ? refused : undefined
  const form = useFocusOnError(its)
  const { typed = {}, errors = {} } = its ?? {}
  const { sum, addUp } = useSum(form, open, typed)
  const amount = formatRupees(sum < 0n ? -sum : sum)
  return (
    <PostForm
      ref={form}
      reloadDocument
      action={to(`/admin/money/${sellerId}`)}
      noValidate
      onChange={addUp}
      onSubmit={sendOnce}
      className="form-panel"
    >
      <input type="hidden" name="act" value="settle" />
      <fieldset className="min-w-0">
        <legend className="label">{m.money_which()}</legend>
        {errors.sale && <p className="mb-2 text-sm font-semibold text-brick">{errors.sale}</p>}
        <ul className="divide-y divide-line border-y border-line">
          {open.map((sale) => (
            <li key={sale.id} id={`sale-${sale.id}`} className="scroll-mt-20">
              <OpenSaleRow sale={sale} typed={typed} error={errors[`amount-${sale.id}`]} />
            </li>
          ))}
        </ul>
      </fieldset>
      <PaymentFields typed={typed} errors={errors} today={today} firstDay={firstDay} />
      {its && Object.keys(errors).length === 0 && <FormFailure {...its} />}
      <div data-desk-foot className="row sticky bottom-0 z-10 justify-between gap-x-4 border-t border-line bg-paper py-2 short:static">
        <h2 aria-live="polite" className="text-base sm:text-lg">
          {sum < 0n ? m.money_gets_sum({ amount }) : m.money_pays_sum({ amount })}
        </h2>
        <button type="submit" className="button-primary">
          {m.money_settle()}
        </button>
      </div>
    </PostForm>
  )
}

/** The sum of the ticked sales. `addUp` reads it from the form again. */
function useSum(form: RefObject<HTMLFormElement | null>, open: OpenSale[], typed: FormRefusal['typed']) {
  const [sum, setSum] = useState(() => sumOf(open, (name) => valueIn(open, typed, name)))
  const addUp = () => {
    const data = new FormData(form.current ?? undefined)
    setSum(sumOf(open, (name) => data.get(name)))
  }
  // The admin may have changed a tick before the scripts loaded, and a browser restores ticks after a reload.
  useEffect(addUp, [form, open])
  return { sum, addUp }
}

/** A field as rendered: the typed value after a refusal, else a tick for each sale with a recorded payment. */
const valueIn = (open: OpenSale[], typed: FormRefusal['typed'], name: string): string | undefined => {
  const sale = open.find(({ id }) => name === `sale-${id}`)
  if (!sale || Object.keys(typed).length > 0) return typed[name]
  return sale.isUnrecorded ? undefined : 'on'
}

type Typed = Pick<FormRefusal, 'typed' | 'errors'>

function PaymentFields({ typed, errors, today, firstDay }: Typed & Pick<Page, 'today' | 'firstDay'>) {
  return (
    <>
      <div className="grid items-start gap-3 sm:grid-cols-3">
        <SettlementFields
          id="settle"
          values={{ method: typed.method, reference: typed.reference, day: typed.day ?? today }}
          errors={errors}
          firstDay={firstDay}
          lastDay={today}
        />
      </div>
      <fieldset className="grid items-start gap-3 sm:grid-cols-2">
        <legend className="mb-2 text-sm text-stone">{m.money_unusual()}</legend>
        <Field
          id="settle-note"
          name="note"
          autoComplete="off"
          maxLength={300}
          label={m.money_note()}
          defaultValue={typed.note}
          error={errors.note}
        />
        <OwnPasswordField id="settle-password" error={errors.password} />
      </fieldset>
    </>
  )
}

function OpenSaleRow({ sale, typed, error }: { sale: OpenSale; typed: FormRefusal['typed']; error: string | undefined }) {
  const { id } = sale
  const isFromSeller = sale.balance.side === 'seller'
  return (
    <div className="grid items-center gap-x-4 gap-y-1 py-2 md:grid-cols-[minmax(0,1fr)_11rem] md:py-1">
      <div className="min-w-0">
        <Choice
          type="checkbox"
          name={`sale-${id}`}
          defaultChecked={valueIn([sale], typed, `sale-${id}`) !== undefined}
          className="gap-3 font-semibold"
        >
          <span className="min-w-0 break-words">
            {sale.orderNo} · {sale.name}
          </span>
        </Choice>
        <p className="pl-8 text-sm leading-tight break-words text-stone">
          {sale.total} · {m.earn_commission_at({ percent: sale.commissionPercent })} {sale.commission} · <b>{sale.due}</b> ·{' '}
          {[sale.collected, sale.delivered, sale.listed].filter(Boolean).join(' · ')}
        </p>
      </div>
      <div>
        <input type="hidden" name={`seen-${id}`} value={sale.seen} />
        <MoneyField
          id={`amount-${id}`}
          name={`amount-${id}`}
          label={<span className="md:sr-only">{isFromSeller ? m.money_amount_from() : m.settle_amount()}</span>}
          defaultValue={typed[`amount-${id}`] ?? sale.amount}
          error={error}
        />
      </div>
    </div>
  )
}

/** A recorded entry, with the form that reverses it. The reversal is an entry too, and the seller is notified. */
function RecordedSale({ sale, page: { sellerId, refused } }: { sale: Recorded; page: Page }) {
  const to = useLocalPath()
  const its = refused?.typed.act === 'back' && refused.typed.id === String(sale.id) ? refused : undefined
  const form = useFocusOnError(its)
  return (
    <>
      <p className="break-words">
        <b>{sale.orderNo}</b> · {sale.name}
      </p>
      {sale.listed && <p className="text-sm break-words">{sale.listed}</p>}
      <p className={`text-sm break-words ${sale.isBack ? 'text-brick' : ''}`}>{sale.paid}</p>
      {sale.note && <p className="text-sm break-words text-stone">“{sale.note}”</p>}
      {!sale.isBack && (
        <details open={its ? true : undefined}>
          <summary className="tap-link text-sm">{m.money_take_back()}</summary>
          <PostForm
            ref={form}
            reloadDocument
            action={to(`/admin/money/${sellerId}`)}
            noValidate
            onSubmit={sendOnce}
            className="mt-2 grid max-w-xl gap-3"
          >
            <HiddenFields act="back" id={sale.id} seen={sale.seen} />
            <Field {...fieldsOf(`back-${sale.id}`, its)('note')} autoComplete="off" maxLength={300} label={m.money_back_why()} />
            <OwnPasswordField id={`back-password-${sale.id}`} error={its?.errors.password} />
            {its && Object.keys(its.errors).length === 0 && <FormFailure {...its} />}
            <button type="submit" className="button-danger justify-self-start">
              {m.money_back_yes()}
            </button>
          </PostForm>
        </details>
      )}
    </>
  )
}
