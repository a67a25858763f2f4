import { plainMeta } from '#src/kit/http/page-meta.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { DeskFind } from '#src/content/site-frame/desk-shell.tsx'
import { countText } from '#src/content/site-frame/live-counts.ts'
import { deskName, deskPath } from '#src/content/site-frame/desks.ts'
import { languageTags, type Locale } from '#src/kit/text/locale.ts'
import { formatRupees, toRupeeNumber, type Money } from '#src/kit/time-money/money.ts'
import { AgeChip } from '#src/ui/age-chip.tsx'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { BarRows, Columns, PlotTable } from '#src/ui/plots.tsx'
import { TitledPanel } from '#src/ui/panels.tsx'
import { phraseText } from '#src/verification/verification-phrases.ts'
import { readOffice, type OfficeData } from './office-view.server.ts'
import { OfficeMap } from './office-map.tsx'
import { TrailList } from './trail-list.tsx'
import type { Route } from './+types/office-page'

export const loader = pageLoader(readOffice)

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.office_title(), description: m.office_lead() }))

export default function OfficePage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="office" isPersonal part={import.meta.env.SSR && <OfficeView {...loaderData} />} />
}

/** Rendered on the server only. */
function OfficeView({ work, vets, figures, map, events }: OfficeData) {
  return (
    <div className="space-y-3">
      <h1 className="text-2xl">{m.office_title()}</h1>
      {/* The phone's header has no room for the search. */}
      <div className="rounded-control bg-leaf p-1 text-white sm:hidden">
        <DeskFind />
      </div>
      {work.length === 0 && <p className="panel p-4">{m.office_nothing()}</p>}
      <div className="grid items-start gap-3 md:grid-cols-2 xl:grid-cols-3">
        {work.map((desk) => (
          <DeskBlock key={desk.desk} work={desk} />
        ))}
        <Vets vets={vets} />
      </div>
      <div className="grid items-start gap-3 md:grid-cols-2 xl:grid-cols-3">
        {work.length > 0 && <WaitingByAge work={work} />}
        <Stages stages={figures.stages} />
        <Sales weeks={figures.weeks} />
        <Reasons reasons={figures.reasons} />
        <OfficeMap map={map} />
      </div>
      <Lately events={events} />
    </div>
  )
}

/** A desk with the number of its cases and the oldest of them; each leads to the page that decides it. */
function DeskBlock({ work: { desk, inTime, late, veryLate, oldest } }: { work: OfficeData['work'][number] }) {
  const to = useLocalPath()
  const id = `office-${desk}`
  return (
    <section aria-labelledby={id} className="panel overflow-hidden">
      <div className="flex items-center justify-between gap-3 border-b border-line bg-husk-dark px-3">
        <h2 id={id} className="text-base leading-tight">
          <a href={to(deskPath(desk))} className="tap-link">
            {deskName(desk)}
          </a>
        </h2>
        <p className="text-right text-sm leading-tight">
          {m.office_waiting({ count: countText(desk, inTime + late + veryLate) })}
          {late + veryLate > 0 && <b className="text-brick"> · {m.office_late_count({ count: countText(desk, late + veryLate) })}</b>}
        </p>
      </div>
      <ol data-cases className="divide-y divide-line">
        {oldest.map((each) => (
          <Case key={each.path} {...each} />
        ))}
      </ol>
    </section>
  )
}

function Case({ title, path, person, amount, handler, age }: OfficeData['work'][number]['oldest'][number]) {
  const to = useLocalPath()
  const about = [person, handler && m.office_in_hand({ name: handler })].filter(Boolean).join(' · ')
  return (
    <li>
      <a
        href={to(path)}
        className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] content-center items-center gap-x-3 px-3 text-sm leading-tight hover:bg-leaf-soft"
      >
        <span className="truncate text-base leading-tight font-semibold">{title}</span>
        <span className="text-right">
          <AgeChip age={age} />
        </span>
        <span className="truncate text-stone">{about}</span>
        <span className="text-right tabular-nums">{amount}</span>
      </a>
    </li>
  )
}

function Lately({ events }: Pick<OfficeData, 'events'>) {
  const to = useLocalPath()
  return (
    <TitledPanel id="office-lately" title={m.office_lately()}>
      <TrailList events={events} />
      <a href={to('/admin/audit')} className="tap-link font-semibold">
        {m.office_whole_trail()}
      </a>
    </TitledPanel>
  )
}

/** Vets choose what they check, so these animals are no cases of the office; it sees only how many there are. */
function Vets({ vets: { waiting, held } }: Pick<OfficeData, 'vets'>) {
  const to = useLocalPath()
  return (
    <TitledPanel id="office-vets" title={m.desk_vets()}>
      <p className="mt-1">{m.office_vets({ waiting: countText('checks', waiting), held: held.toLocaleString('en-IN') })}</p>
      <a href={to('/vet-verify')} className="tap-link font-semibold">
        {m.office_vets_open()}
      </a>
    </TitledPanel>
  )
}

function WaitingByAge({ work }: Pick<OfficeData, 'work'>) {
  return (
    <TitledPanel id="office-age" title={m.office_age()}>
      <ul className="mt-2 flex flex-wrap gap-x-4 text-sm">
        {(
          [
            ['fill-leaf', m.office_in_time()],
            ['fill-turmeric', m.office_late()],
            ['fill-brick', m.office_very_late()],
          ] as const
        ).map(([color, text]) => (
          <li key={color} className="flex items-center gap-1.5">
            <svg aria-hidden="true" viewBox="0 0 10 10" className={`size-3 ${color}`}>
              <rect width="10" height="10" rx="2" />
            </svg>
            {text}
          </li>
        ))}
      </ul>
      <BarRows
        rows={work.map(({ desk, inTime, late, veryLate }) => ({
          name: deskName(desk),
          parts: [
            { tone: 'leaf', value: inTime },
            { tone: 'turmeric', value: late },
            { tone: 'brick', value: veryLate },
          ],
        }))}
      />
      <PlotTable
        caption={m.office_age()}
        heads={[m.office_desk(), m.office_in_time(), m.office_late(), m.office_very_late()]}
        rows={work.map(({ desk, inTime, late, veryLate }) => [deskName(desk), inTime, late, veryLate])}
      />
    </TitledPanel>
  )
}

function Stages({ stages }: Pick<OfficeData['figures'], 'stages'>) {
  return (
    <TitledPanel id="office-stages" title={m.office_stages()}>
      <BarRows rows={stages.map(({ name, count }) => ({ name, parts: [{ tone: 'leaf', value: count }] }))} />
      <PlotTable
        caption={m.office_stages()}
        heads={[m.office_stage(), m.office_count()]}
        rows={stages.map(({ name, count }) => [name, count])}
      />
    </TitledPanel>
  )
}

function Sales({ weeks }: Pick<OfficeData['figures'], 'weeks'>) {
  const locale = useLocale()
  const rows = weeks.map(({ monday, sales, commission }) => ({ label: dayAndMonth(monday, locale), sales, commission }))
  return (
    <TitledPanel id="office-sales" title={m.office_sales()}>
      <Columns columns={rows.map(({ label, sales }) => ({ label, value: toRupeeNumber(sales), shown: shortRupees(sales) }))} />
      <h3 className="mt-3 text-sm">{m.office_commission()}</h3>
      <Columns
        columns={rows.map(({ label, commission }) => ({ label, value: toRupeeNumber(commission), shown: shortRupees(commission) }))}
      />
      <PlotTable
        caption={m.office_sales()}
        heads={[m.office_week(), m.office_sold(), m.office_commission()]}
        rows={rows.map(({ label, sales, commission }) => [label, formatRupees(sales), formatRupees(commission)])}
      />
    </TitledPanel>
  )
}

/** Formats an Indian day as "5 Oct". */
const dayAndMonth = (day: string, locale: Locale) =>
  new Date(day).toLocaleDateString(languageTags[locale], { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** Short amounts above a column: 1.2L, 45k. */
function shortRupees(money: Money): string {
  const amount = toRupeeNumber(money)
  if (amount >= 100_000) return `${Math.round(amount / 10_000) / 10}L`
  return amount >= 1000 ? `${Math.round(amount / 1000)}k` : String(Math.round(amount))
}

function Reasons({ reasons }: Pick<OfficeData['figures'], 'reasons'>) {
  const rows = reasons.map(({ phrase, count }) => ({ name: phrase === null ? m.office_own_words() : phraseText(phrase), count }))
  return (
    <TitledPanel id="office-reasons" title={m.office_reasons()}>
      {rows.length === 0 ? (
        <p className="mt-2 text-stone">{m.office_reasons_none()}</p>
      ) : (
        <>
          <BarRows rows={rows.map(({ name, count }) => ({ name, parts: [{ tone: 'brick', value: count }] }))} />
          <PlotTable
            caption={m.office_reasons()}
            heads={[m.office_reason(), m.office_count()]}
            rows={rows.map(({ name, count }) => [name, count])}
          />
        </>
      )}
    </TitledPanel>
  )
}
