import { randomUUID } from 'node:crypto'
import { use } from 'react'
import { redirect } from 'react-router'
import { takeLimits } from '#src/accounts/sign-in/auth-forms.server.ts'
import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { formHeaders, formLoader, pageAction, asInternalProblem } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { PageInfo } from '#src/document/page-info.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { supportHead } from './support-head.server.ts'
import { Grievance, SupportCards } from './support-view.tsx'
import { OwnTickets, TicketPart } from './ticket-form.tsx'
import { ticketInput } from './ticket-schemas.ts'
import { AS_NOBODY } from './ticket-topics.ts'
import { listOwnTickets, openSealed, openTicket, ownPhone, sealNumber, wasOpened } from './tickets.server.ts'
import type { Route } from './+types/support-page'

export const loader = formLoader(async (ctx, { url }) => ({
  ...supportHead(ctx.locale),
  sent: openSealed(ctx, url.searchParams.get('ticket')),
  isMember: ctx.viewer !== null,
  name: ctx.viewer?.name ?? '',
  phone: (await ownPhone(ctx)) ?? '',
  own: (await listOwnTickets(ctx)).map(({ createdAt, ...ticket }) => ({ ...ticket, on: formatDay(createdAt, ctx.locale) })),
  /** Unique per rendered form, so that a double submit opens one ticket. */
  key: randomUUID(),
  locale: ctx.locale,
  origin: ctx.publicOrigin,
}))

export const action = pageAction('support', async (ctx, { form, site, visitor }): Promise<never> => {
  // A person with an expired login would lose the on-site answer unnoticed. The second submit confirms that they have read this.
  if (visitor.hasSessionEnded && !form.has(AS_NOBODY)) throw new Problem('AUTH_REQUIRED')
  const input = parseInput(ticketInput, Object.fromEntries(form))
  const browser = ctx.browserId ?? visitor.address
  // After the validation, so that a forgotten field or a double submit does not use up one of the day's tickets.
  if (!(await wasOpened(ctx, input, browser))) await takeLetter(ctx, site, visitor)
  const number = await asInternalProblem(ctx, 'a ticket could not be opened', () => openTicket(ctx, input, browser))
  throw redirect(localized(`/support?ticket=${sealNumber(ctx, number)}#ticket`, ctx.locale))
})

/** Limits by person, or by browser without a login, so that neighbours behind one address do not use up each other's tickets. */
async function takeLetter(ctx: Ctx, site: Site, visitor: Visitor): Promise<void> {
  if (ctx.viewer) return takeLimits(ctx, site, visitor, 'ticketDay')
  if (ctx.browserId) await site.limits.takeDurable(ctx.db, 'ticketBrowser', ctx.browserId)
  await site.limits.takeDurable(ctx.db, 'ticketAddress', visitor.address)
}

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

/** After a login or logout on another page, the form needs a new token. */
export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? pageMeta({ ...loaderData, path: '/support', siteName: m.site_name() }) : []

export default function SupportPage({ loaderData, actionData }: Route.ComponentProps) {
  const { contact } = use(PageInfo)
  return (
    <div className="space-y-8">
      <ServerOnly id="support" isPersonal part={import.meta.env.SSR && <SupportCards page={loaderData} contact={contact!} />} />
      <div className="grid items-start gap-6 lg:grid-cols-[1fr_22rem]">
        <TicketPart page={loaderData} refused={actionData?.refused} />
        <aside className="space-y-4">
          <ServerOnly id="grievance" isPersonal part={import.meta.env.SSR && <Grievance contact={contact!} />} />
          {loaderData.own.length > 0 && <OwnTickets own={loaderData.own} />}
        </aside>
      </div>
    </div>
  )
}

export type SupportData = Route.ComponentProps['loaderData']
