import { pageLoader } from '#src/kit/http/page.server.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { breedsHead, moreToRead, readBreedIndex } from './breed-index.server.ts'
import { BreedsView } from './breeds-view.tsx'
import type { Route } from './+types/breeds-page'

export const loader = pageLoader(async (ctx) => ({
  ...breedsHead(ctx.locale),
  groups: await readBreedIndex(ctx),
  more: moreToRead(ctx.locale),
  locale: ctx.locale,
  origin: ctx.publicOrigin,
}))

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData ? pageMeta({ ...loaderData, path: '/breeds', siteName: m.site_name() }) : []

export default function BreedsPage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="breeds" isPersonal part={import.meta.env.SSR && <BreedsView page={loaderData} />} />
}

export type BreedsData = Route.ComponentProps['loaderData']
