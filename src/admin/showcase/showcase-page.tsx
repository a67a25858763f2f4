import { redirect } from 'react-router'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { addShowcaseItem, changeShowcaseItem, removeShowcaseItem } from '#src/storefront/showcase/commands.server.ts'
import { showcaseInput } from '#src/storefront/showcase/schemas.ts'
import { tableAddress } from '#src/ui/desk-query.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { weekdayText } from '#src/storefront/showcase/weekday-text.ts'
import { TableViews } from '#src/ui/desk-table.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { TitledPanel } from '#src/ui/panels.tsx'
import { DeskTitle } from '#src/ui/single-keys.tsx'
import { type ShowcaseDone, kindOf, readShowcase } from './showcase-view.server.ts'
import { ShowcaseForm, type Item, type Kind } from './showcase-form.tsx'
import type { Route } from './+types/showcase-page'

export const loader = formLoader(readShowcase)

export const action = pageAction('showcase', async (ctx, { form }): Promise<never> => {
  const act = textOf(form, 'act')
  const kind = kindOf(textOf(form, 'kind'))
  const done = (what: ShowcaseDone) => redirect(localized(tableAddress('/admin/front', { kind, done: what }), ctx.locale))
  if (act === 'add') {
    await addShowcaseItem(ctx, inputOf(form))
    throw done('added')
  }
  const id = parseId(textOf(form, 'id'))
  const version = parseId(textOf(form, 'version'))
  if (id === null || version === null) throw notFound()
  if (act === 'remove') {
    await removeShowcaseItem(ctx, { id, version })
    throw done('removed')
  }
  await changeShowcaseItem(ctx, { id, version }, inputOf(form))
  throw done('changed')
})

const inputOf = (form: FormData) =>
  parseInput(showcaseInput, { ...Object.fromEntries(form), isShown: form.get('isShown') === '1', isAgreed: form.get('isAgreed') === '1' })

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.showcase_title(), description: m.showcase_lead() }))

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

export default function ShowcasePage({ loaderData: page, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  const to = useLocalPath()
  const { kind, items, done } = page
  const isOfNew = refused?.typed.act === 'add'
  return (
    <div className="space-y-4 py-2">
      <DeskTitle>{m.showcase_title()}</DeskTitle>
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
      {done && !refused && <FormDone>{doneTexts[done]()}</FormDone>}
      {refused && !isOfNew && !items.some(({ id }) => String(id) === refused.typed.id) && <FormFailure {...refused} />}
      <div className="halves">
        {items.length === 0 ? (
          <p className="panel p-4">{m.showcase_none()}</p>
        ) : (
          <ul className="panel divide-y divide-line">
            {items.map((item) => (
              <li key={item.id}>
                <Row kind={kind} item={item} refused={refused?.typed.id === String(item.id) ? refused : undefined} />
              </li>
            ))}
          </ul>
        )}
        <TitledPanel id="front-add" title={m.showcase_new({ what: kinds[kind].name() })} className="panel space-y-3 p-4">
          <ShowcaseForm key={`${kind}-${items.length}`} kind={kind} refused={isOfNew ? refused : undefined} />
        </TitledPanel>
      </div>
    </div>
  )
}

interface RowProps {
  kind: Kind
  item: Item
  refused: FormRefusal | undefined
}

function Row({ kind, item, refused }: RowProps) {
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
          {m.bearers_change()} <span aria-hidden="true" className="fold-arrow" />
        </span>
      </summary>
      <div className="grid gap-4 px-4 pb-4">
        <ShowcaseForm kind={kind} item={item} refused={refused?.typed.act === 'change' ? refused : undefined} />
        {refused?.typed.act === 'remove' && <FormFailure {...refused} />}
        <Remove item={item} kind={kind} />
      </div>
    </details>
  )
}

function Remove({ item, kind }: { item: Item; kind: Kind }) {
  const { onSubmit } = useSendOnce(undefined)
  return (
    <PostForm onSubmit={onSubmit}>
      <HiddenFields act="remove" kind={kind} id={item.id} version={item.version} />
      <button type="submit" className="button-danger">
        {m.showcase_remove()}
      </button>
    </PostForm>
  )
}

function whenText({ weekday, fromDay, toDay }: Item, locale: Locale): string {
  if (weekday !== null) return m.market_days_weekly({ day: weekdayText(weekday, locale) })
  return [fromDay, toDay].flatMap((day) => (day === null ? [] : [formatDay(new Date(day), locale)])).join(' – ')
}
