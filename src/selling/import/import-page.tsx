import { redirect } from 'react-router'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { can } from '#src/accounts/policy.ts'
import { requireConsent } from '#src/accounts/consent.server.ts'
import { formHeaders, formLoader, pageAction } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { readBook } from '#src/selling/form/sell-view.server.ts'
import { actOnImport } from './import-action.server.ts'
import { ImportView } from './import-view.tsx'
import { MAX_ROWS } from './read-import.server.ts'
import type { Route } from './+types/import-page'

/** Imports many animals from a spreadsheet, for sellers. */
export const loader = formLoader(async (ctx, { url, site }) => {
  const viewer = requireViewer(ctx, url)
  if (!can(viewer, 'sell') || can(viewer, 'operate')) throw redirect(localized('/sell', ctx.locale))
  await requireConsent(ctx, url)
  const book = await readBook(ctx, viewer.id, site.noteAway)
  if (book?.length === 0) throw redirect(localized('/my-addresses/sell/selleraddress', ctx.locale))
  return { locale: ctx.locale, origin: ctx.publicOrigin, book, maxRows: MAX_ROWS }
})

export const action = pageAction('sell-import', actOnImport)

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? plainMeta({
        ...loaderData,
        path: '/sell/import',
        title: m.import_title(),
        description: m.import_lead({ count: loaderData.maxRows }),
      })
    : []

export default function ImportPage({ loaderData, actionData }: Route.ComponentProps) {
  return <ImportView page={loaderData} refused={actionData?.refused} preview={actionData?.done} />
}

export type ImportData = Route.ComponentProps['loaderData']
export type ImportPreview = NonNullable<NonNullable<Route.ComponentProps['actionData']>['done']>
