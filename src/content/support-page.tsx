import { randomUUID } from 'node:crypto'
import { use } from 'react'
import { redirect } from 'react-router'
import { takeLimit } from '#src/accounts/identity-door.server.ts'
import { localized } from '#src/kit/locale.ts'
import { formatDay } from '#src/kit/dates.ts'
import { formHeaders, formLoader, pageAction, parseForm, withoutBugs } from '#src/kit/page.server.ts'
import { pageMeta } from '#src/kit/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { KeptPart } from '#src/ui/kept-part.tsx'
import { PageInfo } from '#src/ui/page-info.ts'
import { supportHead } from './support-head.server.ts'
import { SupportView } from './support-view.tsx'
import { readTicketNumber, ticketInput } from './ticket-schemas.ts'
import { listOwnTickets, openTicket, ownPhone, wasOpened } from './tickets.server.ts'
import type { Route } from './+types/support-page'

/** How to reach us, and a letter that gets a number. */
export const loader = formLoader(async (ctx, { url }) => ({
  ...supportHead(ctx.locale),
  sent: readTicketNumber(url.searchParams.get('ticket')),
  name: ctx.viewer?.name ?? '',
  phone: (await ownPhone(ctx)) ?? '',
  own: (await listOwnTickets(ctx)).map(({ createdAt, ...ticket }) => ({ ...ticket, on: formatDay(createdAt, ctx.locale) })),
  /** Unlike any other drawing of this form: sent twice, it is one letter. */
  key: randomUUID(),
  locale: ctx.locale,
  origin: ctx.publicOrigin,
}))

export const action = pageAction(async (ctx, { form, site, visitor }): Promise<never> => {
  const input = parseForm(ticketInput, Object.fromEntries(form))
  const browser = ctx.browserId ?? visitor.address
  // After the input: a forgotten field, or a second tap, must not use up one of a person's few letters.
  if (!(await wasOpened(ctx, input, browser))) await takeLimit(ctx, site, visitor, 'ticketDay')
  const number = await withoutBugs(ctx, 'a ticket could not be opened', () => openTicket(ctx, input, browser))
  throw redirect(localized(`/support?ticket=${number}`, ctx.locale))
})

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? pageMeta({ ...loaderData, path: '/support', siteName: m.site_name() }) : []

export default function SupportPage({ loaderData, actionData }: Route.ComponentProps) {
  const { contact } = use(PageInfo)
  return (
    <KeptPart
      id="support"
      isPersonal
      part={import.meta.env.SSR && <SupportView page={loaderData} contact={contact!} refused={actionData?.refused} />}
    />
  )
}

export type SupportData = Route.ComponentProps['loaderData']
