import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Field, OwnPasswordField } from '#src/ui/field.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import type { ExampleLine } from './settings-example.ts'
import type { SettingsData } from './settings-view.server.ts'
import type { FigureKey, SettingField } from './settings-rules.ts'
import { settingText } from './settings-texts.ts'

type Page = SettingsData & { refused: FormRefusal | undefined }
type Setting = SettingsData['settings'][number]
type Preview = NonNullable<SettingsData['preview']>

const hints: Record<FigureKey, () => string> = {
  profitMarginPercent: m.settings_margin_hint,
  recommendedOfferPercent: m.settings_offer_hint,
  firstOrderDiscount: m.settings_first_hint,
  referralDiscount: m.settings_referral_hint,
}
const fieldNames: Record<SettingField, () => string> = {
  percent: m.settings_percent,
  rupees: m.settings_rupees,
  maxRupees: m.settings_cap,
}
const exampleNames: Record<ExampleLine, () => string> = {
  discount: m.invoice_discount,
  payable: m.settings_example_payable,
  commission: m.earn_commission,
  due: m.earn_seller_part,
  recommended: m.settings_example_recommended,
  offer: m.sell_offer_price,
}

/**
 * A money setting: the admin types it with a day and a reason, sees old → new with an example, and confirms with the password. While a
 * change is planned, the admin can only cancel it, not plan another one.
 */
export function FigureSettingPanel({ name, setting, page }: { name: string; setting: Setting; page: Page }) {
  const preview = page.preview?.key === setting.key ? page.preview : null
  return (
    <section id={setting.key} aria-labelledby={`${setting.key}-title`} className="form-panel">
      <h2 id={`${setting.key}-title`} className="text-lg">
        {name}
      </h2>
      <p className="text-sm text-stone">{hints[setting.key]()}</p>
      {setting.planned ? (
        <Planned setting={setting} planned={setting.planned} page={page} />
      ) : preview?.plan ? (
        <Confirm setting={setting} preview={preview} plan={preview.plan} page={page} />
      ) : (
        <Typing setting={setting} preview={preview} page={page} />
      )}
    </section>
  )
}

/** First step: nothing is stored yet, and the address holds the typed values. */
function Typing({ setting: { key, fields }, preview, page }: { setting: Setting; preview: Preview | null; page: Page }) {
  const to = useLocalPath()
  const { typed = {}, errors = {} } = preview ?? {}
  return (
    <form method="get" action={to(`/admin/settings#${key}`)} noValidate className="grid gap-4">
      <input type="hidden" name="preview" value={key} />
      <div className={fields.length > 1 ? 'grid items-start gap-3 sm:grid-cols-3' : 'sm:max-w-40'}>
        {fields.map(({ field, figure }) => (
          <Field
            key={field}
            id={`${key}-${field}`}
            name={field}
            label={fieldNames[field]()}
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            defaultValue={typed[field] ?? figure}
            error={errors[field]}
            before={field === 'percent' ? '%' : '₹'}
            className="w-full min-w-0"
          />
        ))}
      </div>
      <div className="grid items-start gap-3 sm:grid-cols-[12rem_1fr]">
        <Field
          id={`${key}-day`}
          name="day"
          type="date"
          min={page.today}
          max={page.lastDay}
          label={m.settings_from_day()}
          defaultValue={typed.day ?? page.today}
          error={errors.day}
        />
        <Field
          id={`${key}-reason`}
          name="reason"
          autoComplete="off"
          maxLength={300}
          label={m.settings_reason()}
          defaultValue={typed.reason}
          error={errors.reason}
        />
      </div>
      <button type="submit" className="button-plain justify-self-start">
        {m.settings_preview()}
      </button>
    </form>
  )
}

interface ConfirmProps {
  setting: Setting
  preview: Preview
  plan: NonNullable<Preview['plan']>
  page: Page
}

function Confirm({ setting: { key, seen, fields }, preview: { typed }, plan, page: { refused } }: ConfirmProps) {
  const to = useLocalPath()
  const its = refused?.typed.key === key ? refused : undefined
  // The address keeps the typed values, so that a refusal shows the same step again.
  const query = new URLSearchParams({ preview: key, ...typed })
  return (
    <PostForm
      ref={useFocusOnError(its)}
      reloadDocument
      action={to(`/admin/settings?${query}#${key}`)}
      noValidate
      onSubmit={sendOnce}
      className="grid gap-4 *:min-w-0"
    >
      <input type="hidden" name="key" value={key} />
      <input type="hidden" name="seen" value={seen} />
      {[...fields.map(({ field }) => field), 'day', 'reason'].map((name) => (
        <input key={name} type="hidden" name={name} value={typed[name]} />
      ))}
      <p>
        {settingText(key, plan.from)} <span aria-hidden="true">→</span>
        <span className="sr-only">{m.settings_to()}</span> <b>{settingText(key, plan.to)}</b>
      </p>
      <p className="notice">
        {plan.isNow ? m.settings_holds_now() : m.settings_holds_from({ day: plan.day })} “{plan.reason}”
      </p>
      <Example lines={plan.example} />
      <OwnPasswordField id={`${key}-password`} error={its?.errors.password} className="sm:max-w-80" />
      {its && !its.errors.password && <FormFailure {...its} />}
      <div className="row gap-3">
        <button type="submit" className="button-primary">
          {plan.isNow ? m.settings_confirm_now() : m.settings_confirm()}
        </button>
        <a href={to(`/admin/settings#${key}`)} className="button-plain">
          {m.settings_drop()}
        </a>
      </div>
    </PostForm>
  )
}

const Example = ({ lines }: { lines: NonNullable<Preview['plan']>['example'] }) => (
  <table className="w-full text-left">
    <caption className="pb-1 text-left text-sm text-stone">{m.settings_example()}</caption>
    <thead>
      <tr className="text-sm text-stone">
        {[m.order_csv_item(), m.settings_old(), m.settings_new()].map((text, n) => (
          <th key={text} scope="col" className="px-2 py-1 text-right font-semibold">
            <span className={n === 0 ? 'sr-only' : ''}>{text}</span>
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {lines.map(({ line, before, after }) => (
        <tr key={line} className="border-t border-line">
          <th scope="row" className="py-1 font-normal wrap-anywhere">
            {exampleNames[line]()}
          </th>
          <td className="px-2 py-1 text-right tabular-nums">{before}</td>
          <td className={`px-2 py-1 text-right tabular-nums ${before === after ? '' : 'font-bold'}`}>{after}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

function Planned({ setting, planned, page }: { setting: Setting; planned: NonNullable<Setting['planned']>; page: Page }) {
  const to = useLocalPath()
  const { key, value, fields } = setting
  const lost = page.refused?.typed.key === key ? page.refused : undefined
  return (
    <PostForm ref={useFocusOnError(lost)} reloadDocument action={to('/admin/settings')} onSubmit={sendOnce} className="grid gap-3">
      <HiddenFields act="back" id={planned.id} />
      {lost && (
        <>
          <FormFailure {...lost} />
          <p className="note break-words">
            <b>{m.desk_typed()}</b> {fields.map(({ field }) => lost.typed[field]).join(' · ')} “{lost.typed.reason}”
          </p>
        </>
      )}
      <p>
        {settingText(key, value)} <span aria-hidden="true">→</span>
        <span className="sr-only">{m.settings_to()}</span> <b>{settingText(key, planned.value)}</b>
      </p>
      <p className="notice">
        {m.settings_holds_from({ day: planned.day })} “{planned.reason}” · {planned.by || m.profile_deleted_user()}
      </p>
      <button type="submit" className="button-danger justify-self-start">
        {m.settings_call_back()}
      </button>
    </PostForm>
  )
}
