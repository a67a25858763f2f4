import { Form } from 'react-router'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { weekdayText } from '#src/storefront/showcase/weekday-text.ts'
import { tableAddress } from '#src/ui/desk-query.ts'
import { TableViews } from '#src/ui/desk-table.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { useSendOnce } from '#src/ui/send-once.ts'
import { Known, ShowcaseForm, type Item, type Kind } from './showcase-form.tsx'
import type { ShowcaseData, ShowcaseDone } from './showcase-page.tsx'

const kinds: Record<Kind, { name: () => string; hint: () => string; seenAt: string }> = {
  banner: { name: m.showcase_banners, hint: m.showcase_banners_hint, seenAt: '/' },
  voice: { name: m.showcase_voices, hint: m.showcase_voices_hint, seenAt: '/' },
  market_day: { name: m.showcase_days, hint: m.showcase_days_hint, seenAt: '/market-days' },
}

const doneTexts: Record<ShowcaseDone, () => string> = {
  added: m.showcase_done_added,
  changed: m.showcase_done_changed,
  removed: m.showcase_done_removed,
}

export function ShowcaseView({ page, refused }: { page: ShowcaseData; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  const { kind, items, done, csrf } = page
  const isOfNew = refused?.typed.act === 'add'
  return (
    <div className="space-y-4 py-2">
      <h1 className="text-2xl">{m.showcase_title()}</h1>
      <TableViews
        views={(Object.keys(kinds) as Kind[]).map((each) => ({
          name: kinds[each].name(),
          address: to(tableAddress('/admin/front', { kind: each })),
          isHere: each === kind,
        }))}
      />
      <p className="max-w-prose text-stone">
        {kinds[kind].hint()}{' '}
        <a href={to(kinds[kind].seenAt)} className="link">
          {m.showcase_see()}
        </a>
      </p>
      {done && !refused && (
        <p role="status" className="done">
          {doneTexts[done]()}
        </p>
      )}
      {refused && !isOfNew && !items.some(({ id }) => String(id) === refused.typed.id) && <FormFailure {...refused} />}
      <div className="halves">
        {items.length === 0 ? (
          <p className="panel p-4">{m.showcase_none()}</p>
        ) : (
          <ul className="panel divide-y divide-line">
            {items.map((item) => (
              <li key={item.id}>
                <Row kind={kind} item={item} csrf={csrf} refused={refused?.typed.id === String(item.id) ? refused : undefined} />
              </li>
            ))}
          </ul>
        )}
        <section aria-labelledby="front-add" className="panel space-y-3 p-4">
          <h2 id="front-add" className="text-lg">
            {m.showcase_new({ what: kinds[kind].name() })}
          </h2>
          <ShowcaseForm key={`${kind}-${items.length}`} kind={kind} csrf={csrf} refused={isOfNew ? refused : undefined} />
        </section>
      </div>
    </div>
  )
}

interface RowProps {
  kind: Kind
  item: Item
  csrf: string
  refused: FormRefusal | undefined
}

function Row({ kind, item, csrf, refused }: RowProps) {
  const locale = useLocale()
  const [title, text] = locale === 'ta' ? [item.titleTa, item.textTa] : [item.titleEn, item.textEn]
  return (
    <details open={refused !== undefined || undefined} className="group" key={item.version}>
      <summary className="fold-row">
        <span className="min-w-0 flex-1 wrap-anywhere">
          <b>{title}</b>{' '}
          <span className={`chip ${item.isOn ? 'bg-leaf-soft text-leaf' : ''}`}>{item.isOn ? m.showcase_on() : m.showcase_off()}</span>
          <span className="block text-sm text-stone">{[whenText(item, locale), text].filter(Boolean).join(' · ')}</span>
        </span>
        <span className="text-sm font-semibold text-leaf">
          {m.bearers_change()}{' '}
          <span aria-hidden="true" className="inline-block transition-transform group-open:rotate-180">
            ▾
          </span>
        </span>
      </summary>
      <div className="grid gap-4 px-4 pb-4">
        <ShowcaseForm kind={kind} item={item} csrf={csrf} refused={refused?.typed.act === 'change' ? refused : undefined} />
        {refused?.typed.act === 'remove' && <FormFailure {...refused} />}
        <Remove item={item} kind={kind} csrf={csrf} />
      </div>
    </details>
  )
}

function Remove({ item, kind, csrf }: { item: Item; kind: Kind; csrf: string }) {
  const { onSubmit } = useSendOnce(undefined)
  return (
    <Form method="post" onSubmit={onSubmit}>
      <input type="hidden" name="csrf" value={csrf} />
      <input type="hidden" name="act" value="remove" />
      <input type="hidden" name="kind" value={kind} />
      <Known item={item} />
      <button type="submit" className="button-danger">
        {m.showcase_remove()}
      </button>
    </Form>
  )
}

function whenText({ weekday, fromDay, toDay }: Item, locale: Locale): string {
  if (weekday !== null) return m.market_days_weekly({ day: weekdayText(weekday, locale) })
  return [fromDay, toDay].flatMap((day) => (day === null ? [] : [formatDay(new Date(day), locale)])).join(' – ')
}
