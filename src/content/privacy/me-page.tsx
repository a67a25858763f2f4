import { can } from '#src/accounts/policy.ts'
import { formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { desksOf } from '#src/content/site-frame/desks.ts'
import { countOwn, listNotifications, messageLanguage } from './me.server.ts'
import { MeView } from './me-page-view.tsx'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import type { Route } from './+types/me-page'

/** A logged-in person's places with their counts, and their messages. */
export const loader = pageLoader(async (ctx, { url }) => {
  const shared = { locale: ctx.locale, origin: ctx.publicOrigin }
  const { viewer } = ctx
  if (!viewer) return { ...shared, kind: 'logged-out' as const }
  const before = parseId(url.searchParams.get('before') ?? undefined)
  const { told, next } = await listNotifications(ctx, viewer, before)
  return {
    ...shared,
    kind: 'me' as const,
    id: viewer.id,
    name: viewer.name,
    buys: can(viewer, 'buy'),
    sells: can(viewer, 'sell'),
    operates: can(viewer, 'operate'),
    desks: desksOf(viewer, ctx.locale),
    counts: await countOwn(ctx, viewer),
    told: told.map(({ id, text, locale, at }) => ({
      id,
      text,
      locale,
      at: at.toISOString(),
      when: formatDaysAgo(at, ctx.now, ctx.locale),
    })),
    next,
    hasOtherLanguage: (await messageLanguage(ctx, viewer)) !== ctx.locale,
    isFirst: before === null,
  }
})

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/me', title: m.me_title(), description: m.me_lead() }) : []

export default function MePage({ loaderData }: Route.ComponentProps) {
  return <MeView page={loaderData} />
}

export type MeData = Route.ComponentProps['loaderData']
