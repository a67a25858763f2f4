import { z } from 'zod'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { formatDay, indianDay, indianDayIn } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { PhoneLink } from '#src/accounts/phone-link.tsx'
import { FilterForm } from '#src/ui/desk-filter.tsx'
import { Field } from '#src/ui/field.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { SelectField } from '#src/ui/select-field.tsx'
import { useIsAlive } from '#src/kit/device/use-is-alive.ts'
import { listBearers } from '../bearers/bearers.server.ts'
import { makeRunLink, revokeRunLink } from './run-links.server.ts'
import { readRunSheets, type RunSheet, type ShownStop } from './run-sheet.server.ts'
import { DeskHead } from '../desk-head.tsx'
import { Returns } from './returns.tsx'
import type { Route } from './+types/run-sheet-page'

const isDay = (text: string) =>
  /^20\d\d-\d\d-\d\d$/.test(text) && new Date(text).toString() !== 'Invalid Date' && new Date(text).toISOString().startsWith(text)

/** The stops of each bearer on a day, in an efficient sequence, to print or to send to the bearer. */
export const loader = formLoader(async (ctx, { url }) => {
  const asked = url.searchParams.get('day') ?? ''
  const today = indianDay(ctx.now)
  const day = isDay(asked) ? asked : today
  const bearerId = parseId(url.searchParams.get('bearer') ?? '')
  return {
    day,
    today,
    tomorrow: indianDayIn(ctx.now, 1),
    dayText: formatDay(new Date(day), ctx.locale),
    bearerId,
    bearers: (await listBearers(ctx)).map(({ id, name }) => ({ id, name })),
    sheets: await readRunSheets(ctx, day, bearerId),
  }
})

const choice = z.object({ day: z.string().refine(isDay, 'field_order_day') })

type Done = { kind: 'sent'; bearerId: number; link: string } | { kind: 'revoked'; bearerId: number }

export const action = pageAction('run-sheet', async (ctx, { form }): Promise<Done> => {
  const bearerId = parseId(textOf(form, 'bearer'))
  if (bearerId === null) throw notFound()
  const { day } = parseInput(choice, { day: textOf(form, 'day') })
  const act = textOf(form, 'act')
  if (act === 'send') return { kind: 'sent', bearerId, link: await makeRunLink(ctx, { bearerId, day }) }
  if (act !== 'revoke') throw new Problem('MALFORMED')
  await revokeRunLink(ctx, { bearerId, day })
  return { kind: 'revoked', bearerId }
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({ title: `${m.run_title()} ${page.dayText}`, description: m.run_lead() }))

type RunSheetDone = Done

type RunSheetData = Route.ComponentProps['loaderData']

export default function RunSheetPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const done = actionData?.done
  const refused = actionData?.refused
  const to = useLocalPath()
  return (
    <div className="space-y-4 py-2 print:space-y-2 print:py-0">
      <DeskHead
        title={
          <>
            {m.run_title()} · <span className="whitespace-nowrap">{page.dayText}</span>
          </>
        }
        links={[
          ['/orders', m.bearers_to_orders()],
          ['/admin/bearers', m.bearers_title()],
        ]}
      />
      <Choices page={page} />
      {refused && <FormFailure detail={refused.errors.day ?? refused.detail} />}
      {page.sheets.length === 0 && (
        <p className="panel p-4">
          {m.run_none()}{' '}
          <a href={to('/orders?view=open')} className="link font-semibold">
            {m.run_none_link()}
          </a>
        </p>
      )}
      {page.sheets.map((sheet) => (
        <Sheet key={sheet.key} sheet={sheet} page={page} done={done && done.bearerId === sheet.bearer?.id ? done : undefined} />
      ))}
    </div>
  )
}

function Choices({ page }: { page: RunSheetData }) {
  const to = useLocalPath()
  const isAlive = useIsAlive()
  return (
    <div className="row items-end gap-3 print:hidden">
      <FilterForm action={to('/admin/run-sheet')} className="row items-end gap-2">
        <Field id="run-day" name="day" type="date" label={m.run_day()} defaultValue={page.day} />
        <SelectField
          id="run-bearer"
          name="bearer"
          label={m.order_plan_listed()}
          none={m.run_everybody()}
          options={page.bearers}
          defaultValue={page.bearerId ?? ''}
        />
        <button type="submit" className="button-primary hidden noscript:inline-flex">
          {m.run_show()}
        </button>
      </FilterForm>
      {page.day !== page.tomorrow && (
        <a href={to(`/admin/run-sheet?day=${page.tomorrow}`)} className="button-plain">
          {m.run_tomorrow()}
        </a>
      )}
      {isAlive && page.sheets.length > 0 && (
        <button type="button" onClick={() => print()} className="button-plain">
          {m.run_print()}
        </button>
      )}
    </div>
  )
}

/** One bearer's day; printed on a separate page. */
function Sheet({ sheet, page, done }: { sheet: RunSheet; page: RunSheetData; done: RunSheetDone | undefined }) {
  const { bearer } = sheet
  return (
    <section
      aria-label={bearer?.name ?? m.run_nobody()}
      className="panel break-after-page p-4 last:break-after-auto print:border-0 print:p-0 print:shadow-none"
    >
      <div className="row justify-between gap-x-4">
        <h2 className="text-lg wrap-anywhere">
          {bearer ? <bdi>{bearer.name}</bdi> : m.run_nobody()}{' '}
          {bearer?.phone && <PhoneLink phone={bearer.phone} className="inline-link text-base font-normal whitespace-nowrap" />}
        </h2>
        <p>
          {m.run_collect()} <b>{sheet.total}</b>
        </p>
      </div>
      {sheet.stops.length > 0 && <p className="text-sm text-stone">{sheet.sums}</p>}
      {sheet.warnings.map((text) => (
        <p key={text} className="notice mt-2">
          {text}
        </p>
      ))}
      <Lacks sheet={sheet} day={page.day} />
      <ol className="mt-2 divide-y divide-line">
        {sheet.stops.map((stop, n) => (
          <li key={stop.key} className="grid grid-cols-[2rem_1fr] gap-x-2 py-2 break-inside-avoid print:py-1 print:text-sm">
            <b className="text-lg tabular-nums">{n + 1}</b>
            <StopLines stop={stop} />
          </li>
        ))}
      </ol>
      <Returns returns={sheet.returns} />
      {sheet.done.length > 0 && (
        <p className="mt-2 text-sm text-stone">
          {sheet.done.map(({ id, orderNo, statusName }) => (
            <span key={id} className="mr-3 inline-block">
              ✓ {orderNo} {statusName}
            </span>
          ))}
        </p>
      )}
      {/* A finished day keeps its link until somebody revokes it. */}
      {bearer?.id != null && (sheet.stops.length > 0 || sheet.hasLink || done) && (
        <LinkForm bearerId={bearer.id} sheet={sheet} page={page} done={done} />
      )}
    </section>
  )
}

/** Facts that the sheet needs, with a link to the page where an admin states them. */
function Lacks({ sheet: { bearer, stops, isLoadUnknown }, day }: { sheet: RunSheet; day: string }) {
  const to = useLocalPath()
  const lack = (text: string, path: string, link: string) => (
    <p className="notice mt-2">
      {text}{' '}
      <a href={to(path)} className="link font-semibold print:hidden">
        {link}
      </a>
    </p>
  )
  if (!bearer) return lack(m.run_nobody_text(), `/orders?on=delivery&from=${day}&to=${day}`, m.bearers_to_orders())
  if (stops.length > 0 && bearer.id === null) return lack(m.run_unlisted(), '/admin/bearers#add-bearer', m.bearers_add())
  return isLoadUnknown ? lack(m.run_no_capacity(), `/admin/bearers#bearer-${bearer.id}-capacity`, m.run_no_capacity_link()) : null
}

function StopLines({ stop }: { stop: ShownStop }) {
  const to = useLocalPath()
  return (
    <div className="grid min-w-0 gap-x-4 wrap-anywhere sm:grid-cols-[1fr_1.4fr_11rem] print:grid-cols-[1fr_1.4fr_11rem]">
      <p>
        <b className={stop.kind === 'fetch' ? 'text-brick' : 'text-leaf'}>{stop.kind === 'fetch' ? m.run_fetch() : m.run_bring()}</b>{' '}
        <a href={to(`/orders?view=all&order=${stop.orderNo}`)} data-row-link className="inline-link whitespace-nowrap">
          {stop.orderNo}
        </a>
        <span className="block">{stop.animal}</span>
        <span className="block text-sm text-stone">
          {stop.code}
          {stop.when && ` · ${stop.when}`}
        </span>
      </p>
      <address className="not-italic">
        <bdi className="font-semibold">{stop.place.name}</bdi>
        {stop.place.lines.map((line) => (
          <bdi key={line} className="block">
            {line}
          </bdi>
        ))}
        {stop.place.phone && <PhoneLink phone={stop.place.phone} className="inline-link whitespace-nowrap" />}
      </address>
      <p className="sm:text-right">
        {stop.say && (
          <>
            {m.run_say()} <b className="text-lg tabular-nums">{stop.say}</b>
          </>
        )}
        {stop.amount && (
          <>
            {m.run_collect()} <b className="text-lg whitespace-nowrap">{stop.amount}</b>
          </>
        )}
      </p>
    </div>
  )
}

interface LinkFormProps {
  bearerId: number
  sheet: RunSheet
  page: RunSheetData
  done: RunSheetDone | undefined
}

/** Sends the bearer a link to their page of the day. The form shows the link once, so that an admin can also send it in a chat. */
function LinkForm({ bearerId, sheet, page, done }: LinkFormProps) {
  return (
    <div className="mt-3 space-y-2 border-t border-line pt-3 print:hidden">
      {done?.kind === 'sent' && (
        <div role="status" className="done wrap-anywhere">
          {m.run_link_sent()}
          <a href={done.link} className="link block font-normal">
            {done.link}
          </a>
        </div>
      )}
      {done?.kind === 'revoked' && <FormDone>{m.run_link_revoked()}</FormDone>}
      <PostForm preventScrollReset className="row gap-2">
        <HiddenFields bearer={bearerId} day={page.day} />
        {page.day >= page.today && sheet.stops.length > 0 && (
          <button type="submit" name="act" value="send" className={sheet.hasLink ? 'button-plain' : 'button-primary'}>
            {sheet.hasLink ? m.run_link_again() : m.run_link_send()}
          </button>
        )}
        {sheet.hasLink && (
          <button type="submit" name="act" value="revoke" className="button-danger">
            {m.run_link_revoke()}
          </button>
        )}
        {sheet.stops.length > 0 && <span className="text-sm text-stone">{m.run_link_hint()}</span>}
      </PostForm>
    </div>
  )
}
