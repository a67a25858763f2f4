import { redirect } from 'react-router'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { addShowcaseItem, changeShowcaseItem, removeShowcaseItem } from '#src/storefront/showcase/commands.server.ts'
import { listShowcase } from '#src/storefront/showcase/queries.server.ts'
import { isOn, nextDay } from '#src/storefront/showcase/rules.ts'
import { showcaseInput } from '#src/storefront/showcase/schemas.ts'
import { SHOWCASE_KINDS } from '#src/storefront/tables.ts'
import { tableAddress } from '#src/ui/desk-query.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { ShowcaseView } from './showcase-view.tsx'
import type { Route } from './+types/showcase-page'

const DONE = ['added', 'changed', 'removed'] as const
export type ShowcaseDone = (typeof DONE)[number]

const kindOf = (text: string | null) => SHOWCASE_KINDS.find((kind) => kind === text) ?? 'banner'

/** The office's content of the home page: banners, voices and market days. */
export const loader = formLoader(async (ctx, { url }) => {
  const kind = kindOf(url.searchParams.get('kind'))
  const today = indianDay(ctx.now)
  const items = await listShowcase(ctx, kind)
  return {
    kind,
    items: items.map(({ changedAt: _at, changedById: _by, ...item }) => ({
      ...item,
      isOn: item.isShown && (item.kind === 'market_day' ? nextDay(item, today) !== null : isOn(item, today)),
    })),
    done: DONE.find((each) => each === url.searchParams.get('done')) ?? null,
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

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

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/admin/front', title: m.showcase_title(), description: m.showcase_lead() }) : []

export default function ShowcasePage({ loaderData, actionData }: Route.ComponentProps) {
  return <ShowcaseView page={loaderData} refused={actionData?.refused} />
}

export type ShowcaseData = Route.ComponentProps['loaderData']
