import { redirect } from 'react-router'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formLoader, pageAction, asInternalProblem, textOf, secretUrlHeaders, type FormRefusal } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/plain-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formatDay } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { handoverLater } from '#src/orders/handover/handover-later.ts'
import { closing } from '#src/orders/steps/handover-schemas.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { Field } from '#src/ui/field.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { Icon } from '#src/ui/icon.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { useSendOnce } from '#src/ui/send-once.ts'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import { useRefusedAct } from '#src/ui/use-refused-act.ts'
import { AmountPaid } from '#src/orders/card/amount-paid.tsx'
import { PaymentMethod } from '#src/orders/handover/handover-bearer.tsx'
import { CallUs } from '#src/orders/card/order-card.tsx'
import { closeByLink, findRunLink } from './run-links.server.ts'
import { readOwnRun, type ShownStop } from './run-sheet.server.ts'
import type { Route } from './+types/bring-page'

/** The bearer's page of one day, behind a secret link without login. An invalid link shows only that it is invalid. */
export const loader = formLoader(
  async (ctx, { params: { token = '' }, site }) => {
    const link = await findRunLink(ctx, token)
    const shared = { locale: ctx.locale, origin: ctx.publicOrigin, phone: site.contact.phone }
    if (!link) return { ...shared, run: null }
    const run = await readOwnRun(ctx, link.day, link.bearer.id)
    return { ...shared, run: { ...run, name: link.bearer.name, day: formatDay(new Date(link.day), ctx.locale) } }
  },
  ({ run }) => (run ? 200 : 404),
)

export const action = pageAction('bring', async (ctx, { params: { token = '' }, form }): Promise<never> => {
  const id = parseId(textOf(form, 'id'))
  if (id === null) throw notFound()
  const input = parseInput(closing, Object.fromEntries(form))
  await asInternalProblem(ctx, 'a bearer could not close an order', () => closeByLink(ctx, token, id, input))
  throw redirect(localized(`/bring/${token}?done=${id}`, ctx.locale))
})

/** Offline, the handover waits on the phone. The bearer is not logged in: the link in its path lets it pass (decision 0106). */
export const clientAction = (args: Route.ClientActionArgs) =>
  keepWhenOffline(args, (form) => {
    const act = handoverLater(form, String(form.get('id')))
    return act && { ...act, isByLink: true }
  })

export const shouldRevalidate = afterRefusalToo

/** The address is a secret: send no referrer. Only the service worker stores the page, until midnight (decision 0107). */
export const headers = secretUrlHeaders

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, path: '/bring', title: m.bring_title(), description: m.bring_lead() }) : []

interface ViewProps {
  page: Route.ComponentProps['loaderData']
  refused: FormRefusal | undefined
}

/** Large stops in one column, for one thumb in bright sun. */
export default function BringPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const { run } = page
  const waited = useRefusedAct('handover')
  const refused = actionData?.refused ?? waited
  if (!run)
    return (
      <div className="page-column max-w-md">
        <h1 className="text-2xl">{m.bring_dead()}</h1>
        <p role={refused ? 'alert' : undefined} className="panel p-4">
          {m.bring_dead_text()} <CallUs phone={page.phone} />
        </p>
      </div>
    )
  const isShown = run.stops.some(({ id, kind }) => kind === 'bring' && String(id) === refused?.typed.id)
  return (
    <div className="page-column max-w-xl">
      <h1 className="text-2xl">{m.bring_title()}</h1>
      <p>
        <b>
          <bdi>{run.name}</bdi>
        </b>{' '}
        · {run.day}
        <br />
        {m.run_collect()} <b>{run.total}</b>
      </p>
      {refused && !isShown && <FormFailure detail={refused.detail} />}
      {run.stops.length === 0 && (
        <p role="status" className="panel p-4">
          {m.bring_nothing()}
        </p>
      )}
      {/* The key fills the form with what was refused, once the phone has found it. */}
      <ol key={waited ? 'waited' : 'new'} className="space-y-4">
        {run.stops.map((stop, n) => (
          <li key={stop.key}>
            <StopCard
              stop={stop}
              number={n + 1}
              page={page}
              refused={stop.kind === 'bring' && refused?.typed.id === String(stop.id) ? refused : undefined}
            />
          </li>
        ))}
      </ol>
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

interface CardProps extends ViewProps {
  stop: ShownStop
  number: number
}

function StopCard({ stop, number, page, refused }: CardProps) {
  const isFetch = stop.kind === 'fetch'
  const { place } = stop
  return (
    <article
      aria-label={`${number}. ${isFetch ? m.run_fetch() : m.run_bring()} ${stop.orderNo}`}
      className="panel space-y-3 p-4 wrap-anywhere"
    >
      <div className="flex gap-2">
        <span className="grid size-9 shrink-0 place-items-center rounded-full bg-leaf text-lg font-bold text-white">{number}</span>
        <div>
          <h2 className="text-lg">
            {isFetch ? m.run_fetch() : m.run_bring()}: {stop.animal}
          </h2>
          <p className="text-sm text-stone">
            {stop.orderNo} · {stop.code}
            {stop.when && ` · ${stop.when}`}
          </p>
        </div>
      </div>
      <address className="not-italic">
        <bdi className="font-semibold">{place.name}</bdi>
        {place.lines.map((line) => (
          <bdi key={line} className="block">
            {line}
          </bdi>
        ))}
      </address>
      <div className="grid gap-2 sm:grid-cols-2">
        {place.phone && (
          <a href={`tel:${place.phone}`} className="button-plain px-2">
            <Icon name="phone" size={20} className="shrink-0" />
            {isFetch ? m.bring_call_seller() : m.bring_call_buyer()}
          </a>
        )}
        {/* `geo:` opens the phone's own map app, so no third party learns the address. */}
        <a href={`geo:0,0?q=${encodeURIComponent(place.lines.join(', '))}`} className="button-plain px-2">
          <Icon name="pin" size={20} className="shrink-0" />
          {m.bring_way()}
        </a>
      </div>
      {stop.say && (
        <p className="notice">
          {m.bring_say()} <b className="text-3xl tracking-widest tabular-nums">{stop.say}</b>
        </p>
      )}
      {stop.amount && (
        <p className="note">
          {m.run_collect()} <b className="text-2xl whitespace-nowrap">{stop.amount}</b>
        </p>
      )}
      {!isFetch && <Closing stop={stop} page={page} refused={refused} />}
    </article>
  )
}

/** The form for the buyer's digits, while the animal is on the way. */
function Closing({ stop, page, refused }: Omit<CardProps, 'number'>) {
  const { isBusy, onSubmit } = useSendOnce(refused)
  const form = useFocusOnError(refused)
  if (!stop.isOnTheWay) return <p className="text-sm text-stone">{m.bring_not_yet()}</p>
  if (stop.triesLeft === 0)
    return (
      <p>
        {m.handover_locked()} <CallUs phone={page.phone} />
      </p>
    )
  const id = `bring-${stop.id}`
  return (
    <details open={refused !== undefined || undefined}>
      <summary className="button-primary w-full">{m.handover_close()}</summary>
      <PostForm ref={form} preventScrollReset onSubmit={onSubmit} className="mt-3 space-y-4">
        <input type="hidden" name="id" value={stop.id} />
        {/* The phone lists this while the handover waits for a connection. */}
        <input type="hidden" name="what" value={`${stop.orderNo} · ${stop.animal}`} />
        {refused && Object.keys(refused.errors).length === 0 && <FormFailure detail={refused.detail} isStored={refused.isStored} />}
        <Field
          id={`${id}-code`}
          name="code"
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          label={m.handover_code_label()}
          hint={stop.triesLeft === 1 ? m.handover_tries_one() : m.handover_tries({ count: stop.triesLeft })}
          error={refused?.errors.code}
          className="max-w-40 text-center text-lg"
        />
        <PaymentMethod id={`${id}-method`} typed={refused?.typed.paymentMethod} error={refused?.errors.paymentMethod} />
        <AmountPaid id={`${id}-amount`} typed={refused?.typed.amountPaid} payable={stop.payableRupees} error={refused?.errors.amountPaid} />
        <button type="submit" aria-disabled={isBusy || undefined} className="button-primary w-full">
          {isBusy ? m.handover_sending() : m.bring_close()}
        </button>
      </PostForm>
    </details>
  )
}
