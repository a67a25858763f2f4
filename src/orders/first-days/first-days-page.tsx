import { useEffect, useState, type ReactNode } from 'react'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseId } from '#src/kit/ids.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { readFirstDays } from './read-first-days.server.ts'
import type { Route } from './+types/first-days-page'

/** For the buyer of a delivered animal: care instructions for its first three weeks, to read or print. */
export const loader = pageLoader(async (ctx, { params }) => {
  const id = parseId(params.orderId)
  if (id === null) throw notFound()
  return readFirstDays(ctx, id)
})

export const headers = () => ({ 'Cache-Control': 'no-store' })

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  title: `${m.first_days_title()} ${page.orderNo}`,
  description: m.first_days_lead(),
}))

/** Fits on one printed page. */
export default function FirstDaysPage({ loaderData: page }: Route.ComponentProps) {
  const to = useLocalPath()
  const [isAlive, setIsAlive] = useState(false)
  useEffect(() => setIsAlive(true), [])
  return (
    <div className="page-column max-w-2xl print:space-y-2">
      <a href={to(`/orders#o${page.id}`)} className="tap-link font-semibold print:hidden">
        {m.handover_back()}
      </a>
      <h1 className="text-2xl">{m.first_days_title()}</h1>
      <p className="wrap-anywhere">
        <b>{page.name}</b> · {page.code} · {page.orderNo}
        <br />
        {m.first_days_came({ day: page.came })}
      </p>
      <Part title={m.first_days_apart({ day: page.until })}>
        <ul className="list-disc space-y-1 pl-5">
          <li>{m.first_days_apart_place()}</li>
          <li>{m.first_days_apart_last()}</li>
          {page.isMilked && <li>{m.first_days_milk()}</li>}
          <li>{m.first_days_feed()}</li>
        </ul>
      </Part>
      <Part title={m.first_days_daily()}>
        <ul className="list-disc space-y-1 pl-5">
          <li>{m.first_days_look()}</li>
          <li>
            <b>{m.first_days_vet()}</b>
          </li>
        </ul>
      </Part>
      <Part title={m.first_days_vaccinations()}>
        <Vaccinations {...page} />
      </Part>
      {isAlive && (
        <button type="button" onClick={() => print()} className="button-plain print:hidden">
          {m.run_print()}
        </button>
      )}
    </div>
  )
}

function Vaccinations({ vaccinations, unknown }: Pick<Route.ComponentProps['loaderData'], 'vaccinations' | 'unknown'>) {
  return (
    <>
      {vaccinations.length > 0 && (
        <ul className="divide-y divide-line">
          {vaccinations.map((vaccine) => (
            <li key={vaccine.id} className="py-2">
              <b>{vaccine.name}</b>
              <br />
              {m.first_days_given({ day: vaccine.given })} <Due vaccine={vaccine} />
            </li>
          ))}
        </ul>
      )}
      {unknown.length > 0 && (
        <p>
          {vaccinations.length > 0 ? m.first_days_unknown_more() : m.first_days_unknown()} {unknown.map(({ name }) => name).join(', ')}
        </p>
      )}
      <p className="text-sm text-stone">{m.first_days_no_certificate()}</p>
    </>
  )
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <section className="panel space-y-2 p-4 break-inside-avoid">
      <h2 className="text-lg">{title}</h2>
      {children}
    </section>
  )
}

function Due({ vaccine: { status, due } }: { vaccine: Route.ComponentProps['loaderData']['vaccinations'][number] }) {
  if (due === null) return null
  return (
    <span className={`chip ${status === 'overdue' ? 'bg-brick-soft text-brick' : 'bg-leaf-soft text-leaf'}`}>
      {status === 'overdue' ? m.first_days_overdue({ day: due }) : m.first_days_due({ day: due })}
    </span>
  )
}
