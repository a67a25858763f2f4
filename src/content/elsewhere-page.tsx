import { bare } from '#src/kit/locale.ts'
import { canonicalPath } from '#src/kit/seo.ts'
import { pageLoader } from '#src/kit/page.server.ts'
import { notFound } from '#src/kit/problem.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { plainMeta } from './plain-meta.ts'
import type { Route } from './+types/elsewhere-page'

/** Rooms that later work opens; until then they say so. */
const soon = [
  /^\/(add-enquiry|view-requirements|my-enquiries|forum)\/?$/i,
  /^\/(support|aboutus|how-it-works|careers|terms|privacy-policy|other-services|services|coming-soon)\/?$/i,
  /^\/(view-enquiry)\/[^/]+\/?$/i,
  /^\/forum\/thread\/[^/]+\/replies\/?$/i,
]

/** Every other address that is no page of ours: a real 404, drawn by the frame's error boundary. */
export const loader = pageLoader(async (ctx, { url }) => {
  const path = bare(url.pathname)
  if (!soon.some((room) => room.test(path))) throw notFound()
  return {
    path: canonicalPath(url.pathname),
    isDelivery: path.toLowerCase().startsWith('/coming-soon'),
    locale: ctx.locale,
    origin: ctx.publicOrigin,
  }
})

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? plainMeta({ ...loaderData, title: titleOf(loaderData), description: textOf(loaderData) }) : []

const titleOf = (page: { isDelivery: boolean }) => (page.isDelivery ? m.soon_delivery_title() : m.soon_title())
const textOf = (page: { isDelivery: boolean }) => (page.isDelivery ? m.soon_delivery_text() : m.soon_text())

/** Where a later room of the market will be, and the answer for areas without delivery. */
export default function ElsewherePage({ loaderData }: Route.ComponentProps) {
  const to = useLocalPath()
  return (
    <div className="mx-auto max-w-xl py-10 text-center">
      <img src="/species/cow.webp" alt="" width={96} height={96} className="mx-auto mb-4" />
      <h1 className="text-2xl">{titleOf(loaderData)}</h1>
      <p className="mt-3 text-stone">{textOf(loaderData)}</p>
      <a href={to('/buy/0')} className="button-primary mt-6">
        {m.missing_browse()}
      </a>
    </div>
  )
}
