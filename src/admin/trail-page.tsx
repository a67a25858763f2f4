import { plainMeta } from '#src/kit/http/page-meta.ts'
import { formHeaders, formLoader, pageAction } from '#src/kit/http/page.server.ts'
import { formatMoment } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { tableAddress } from '#src/ui/desk-query.ts'
import { FilterForm } from '#src/ui/desk-filter.tsx'
import { Field } from '#src/ui/field.tsx'
import { FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { sendOnce } from '#src/ui/send-once.ts'
import { DeskTitle } from '#src/ui/single-keys.tsx'
import { checkSeals, listTrail, type SealCheck } from './trail.server.ts'
import { trailFilterIn } from './trail-filter.server.ts'
import { eventNames, eventText } from './event-texts.ts'
import { TrailList } from './trail-list.tsx'
import type { Route } from './+types/trail-page'

/** The audit trail with its filters, and a check of its seals. */
export const loader = formLoader(async (ctx, { url }) => {
  const filter = trailFilterIn(url.searchParams)
  const { events, nextBeforeId } = await listTrail(ctx, filter)
  return {
    filter,
    events: events.map(({ at, ...event }) => ({ ...event, at: formatMoment(at, ctx.locale) })),
    nextBeforeId,
  }
})

export const action = pageAction('trail', async (ctx) => checkSeals(ctx))

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.trail_title(), description: m.trail_lead() }))

type TrailData = Route.ComponentProps['loaderData']

export default function TrailPage({ loaderData, actionData }: Route.ComponentProps) {
  const { filter, events, nextBeforeId } = loaderData
  const check = actionData?.done
  const refused = actionData?.refused
  const to = useLocalPath()
  const { event, object, actorId, day } = filter
  const older = to(tableAddress('/admin/audit', { event, object, actor: actorId, day, before: nextBeforeId }))
  return (
    <div className="space-y-4">
      <DeskTitle>{m.trail_title()}</DeskTitle>
      <PostForm reloadDocument action={to('/admin/audit')} onSubmit={sendOnce} className="panel flex flex-wrap items-center gap-3 p-4">
        <button type="submit" className="button-plain">
          {m.trail_check()}
        </button>
        <SealState check={check} />
        {refused && <FormFailure {...refused} />}
      </PostForm>
      <Filters filter={filter} />
      <section className="panel p-4" aria-label={m.trail_title()}>
        <TrailList events={events} />
      </section>
      {nextBeforeId !== null && (
        <a href={older} className="button-plain">
          {m.trail_older()}
        </a>
      )}
    </div>
  )
}

function SealState({ check }: { check: SealCheck | undefined }) {
  if (!check) return <p className="text-sm text-stone">{m.trail_check_hint()}</p>
  if (check.isWhole)
    return (
      <p role="status" className="font-semibold text-leaf">
        {m.trail_whole({ count: check.upTo })}
      </p>
    )
  return (
    <p role="alert" className="font-semibold text-brick">
      {check.eventId === null
        ? m.trail_broken_missing({ position: check.position })
        : m.trail_broken_changed({ position: check.position, event: check.eventId })}
    </p>
  )
}

function Filters({ filter }: Pick<TrailData, 'filter'>) {
  const to = useLocalPath()
  return (
    <FilterForm action={to('/admin/audit')} className="panel grid items-end gap-3 p-4 sm:grid-cols-2 lg:grid-cols-[2fr_1fr_1fr_1fr_auto]">
      <SelectField
        id="trail-event"
        name="event"
        label={m.trail_event()}
        none={m.trail_all_events()}
        options={eventNames.map((name) => ({ id: name, name: eventText(name) }))}
        defaultValue={filter.event}
      />
      <Field
        id="trail-object"
        name="object"
        label={m.trail_object()}
        placeholder="listing:12"
        defaultValue={filter.object}
        maxLength={71}
      />
      <Field id="trail-actor" name="actor" label={m.trail_actor()} inputMode="numeric" defaultValue={filter.actorId ?? ''} maxLength={15} />
      <Field id="trail-day" name="day" type="date" label={m.trail_day()} defaultValue={filter.day ?? ''} />
      <button type="submit" className="button-primary hidden noscript:inline-flex">
        {m.users_find()}
      </button>
    </FilterForm>
  )
}
