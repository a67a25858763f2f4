import { redirect } from 'react-router'
import { z } from 'zod'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { bytesOf, formLoader, pageAction, textOf, secretUrlHeaders } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { stopLater } from '#src/orders/handover/handover-later.ts'
import { closing, loadedDigits, reasonText } from '#src/orders/steps/handover-schemas.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useRefusedAct } from '#src/ui/use-refused-act.ts'
import { CallUs } from '#src/orders/card/order-card.tsx'
import { isRefusedAt, StopCard } from './bring-stop.tsx'
import { closeByLink, fetchByLink, refuseByLink } from './link-acts.server.ts'
import { Returns } from './returns.tsx'
import { findRunLink } from './run-links.server.ts'
import { readOwnRun } from './run-sheet.server.ts'
import type { Route } from './+types/bring-page'

/** The bearer's page of one day, behind a secret link without login. An invalid link shows only that it is invalid. */
export const loader = formLoader(
  async (ctx, { params: { token = '' }, url, site }) => {
    const link = await findRunLink(ctx, token)
    const shared = { phone: site.contact.phone }
    const asked = url.searchParams.get('took')
    // An act may pass after the page ended. Its bearer then reads only that it passed.
    const passed = link ?? (asked === null ? null : await findRunLink(ctx, token, { isAct: true }))
    const run = passed && (await readOwnRun(ctx, passed.day, passed.bearer.id))
    const took = run && tookOf(run, asked ?? '')
    if (!link || !run) return { ...shared, run: null, took }
    return { ...shared, took, run: { ...run, name: link.bearer.name, day: formatDay(new Date(link.day), ctx.locale) } }
  },
  ({ run }) => (run ? 200 : 404),
)

/** The act that the address says was just done, if the day shows it. */
function tookOf(run: Awaited<ReturnType<typeof readOwnRun>>, text: string) {
  const [act, id] = text.split('-')
  const isOf = (each: { id: number }) => String(each.id) === id
  const brought = run.stops.find((stop) => stop.kind === 'bring' && stop.isOnTheWay && isOf(stop))
  if (act === 'fetch' && brought) return { act, number: brought.orderNo } as const
  const done = run.done.find(isOf)
  if (act === 'close' && done) return { act, number: done.orderNo } as const
  const returned = run.returns.find(isOf)
  return act === 'refuse' && returned ? ({ act, number: returned.orderNo } as const) : null
}

export const action = pageAction('bring', async (ctx, { params: { token = '' }, form, site }): Promise<never> => {
  const id = parseId(textOf(form, 'id'))
  if (id === null || !(await findRunLink(ctx, token, { isAct: true }))) throw notFound()
  const act = textOf(form, 'act') || 'close'
  if (act === 'fetch') {
    const { code } = parseInput(z.object({ code: loadedDigits }), { code: textOf(form, 'code') })
    await fetchByLink(ctx, token, id, code)
  } else if (act === 'refuse') {
    const { reason } = parseInput(z.object({ reason: reasonText }), { reason: textOf(form, 'reason') })
    await refuseByLink(ctx, site.media, { token, id, reason, photo: await bytesOf(form, 'photo') })
  } else await closeByLink(ctx, token, id, parseInput(closing, Object.fromEntries(form)))
  throw redirect(localized(`/bring/${token}?took=${act}-${id}`, ctx.locale))
})

/** Offline, the act waits on the phone. The bearer is not logged in: the link in its path lets it pass (decision 0106). */
export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args, stopLater)

export const shouldRevalidate = afterRefusalToo

/** The address is a secret: send no referrer. Only the service worker stores the page, until midnight (decision 0107). */
export const headers = secretUrlHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ path: '/bring', title: m.bring_title(), description: m.bring_lead() }))

const tookTexts = { fetch: m.bring_took_fetch, close: m.bring_took_close, refuse: m.bring_took_refuse }

type Act = NonNullable<Route.ComponentProps['loaderData']['took']>

const Took = ({ took: { act, number } }: { took: Act }) => <FormDone>{tookTexts[act]({ number })}</FormDone>

/** Large stops in one column, for one thumb in bright sun. */
export default function BringPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const { run } = page
  const waited = useRefusedAct('handover')
  const refused = actionData?.refused ?? waited
  if (!run) return <DeadLink phone={page.phone} took={refused ? null : page.took} isRefused={refused !== undefined} />
  const isShown = run.stops.some((stop) => isRefusedAt(stop, refused))
  return (
    <div className="page-column max-w-xl">
      <Head run={run} />
      {page.took && !refused && <Took took={page.took} />}
      {refused && !isShown && <FormFailure detail={refused.detail} />}
      {run.stops.length === 0 && run.returns.length === 0 && (
        <p role="status" className="panel p-4">
          {m.bring_nothing()}
        </p>
      )}
      {/* The key fills the form with what was refused, once the phone has found it. */}
      <ol key={waited ? 'waited' : 'new'} className="space-y-4">
        {run.stops.map((stop, n) => (
          <li key={stop.key}>
            <StopCard stop={stop} number={n + 1} phone={page.phone} refused={isRefusedAt(stop, refused) ? refused : undefined} />
          </li>
        ))}
      </ol>
      {run.returns.length > 0 && (
        <div className="panel px-4 pb-2">
          <Returns returns={run.returns} />
        </div>
      )}
      {run.done.length > 0 && (
        <ul className="panel divide-y divide-line px-4">
          {run.done.map(({ id, orderNo, statusName }) => (
            <li key={id} className="py-2">
              ✓ <b>{orderNo}</b> {statusName}
            </li>
          ))}
        </ul>
      )}
      <p>
        {m.bring_help()} <CallUs phone={page.phone} />
      </p>
    </div>
  )
}

const Head = ({ run }: { run: NonNullable<Route.ComponentProps['loaderData']['run']> }) => (
  <>
    <h1 className="text-2xl">{m.bring_title()}</h1>
    <p>
      <b>
        <bdi>{run.name}</bdi>
      </b>{' '}
      · {run.day}
      <br />
      {run.stops.length > 0 && `${run.sums} · `}
      {m.run_collect()} <b className="whitespace-nowrap">{run.total}</b>
    </p>
  </>
)

const DeadLink = ({ phone, took, isRefused }: { phone: string; took: Act | null; isRefused: boolean }) => (
  <div className="page-column max-w-md">
    {took && <Took took={took} />}
    <h1 className="text-2xl">{m.bring_dead()}</h1>
    <p role={isRefused ? 'alert' : undefined} className="panel p-4">
      {m.bring_dead_text()} <CallUs phone={phone} />
    </p>
  </div>
)
