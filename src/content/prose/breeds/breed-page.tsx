import { pageLoader } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { pageMeta } from '#src/kit/http/seo.ts'
import { localized } from '#src/kit/text/locale.ts'
import { boardPath } from '#src/storefront/sharing/share-path.ts'
import { findBreed } from '#src/storefront/breeds/breed-paths.ts'
import { categories } from '#src/listings/reference/reference-data.ts'
import { listThings } from '#src/storefront/animal/structured-data.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { readBreed } from './breed-view.server.ts'
import { BreedView } from './breed-view.tsx'
import { breedHead } from './breed-heads.server.ts'
import type { Route } from './+types/breed-page'

export const loader = pageLoader(async (ctx, { params }) => {
  const breed = findBreed(params.breed)
  if (!breed) throw notFound()
  const shown = await readBreed(ctx, breed)
  const category = categories.find(({ id }) => id === breed.categoryId)![ctx.locale]
  const image = { path: boardPath({ what: 'breed', id: breed.id, locale: ctx.locale }), alt: shown.name }
  return { ...shown, ...breedHead(shown, ctx.locale), category, image, locale: ctx.locale, origin: ctx.publicOrigin }
})

export const meta = ({ loaderData: page }: Route.MetaArgs) =>
  page ? pageMeta({ ...page, siteName: m.site_name(), about: import.meta.env.SSR ? breedThings(page) : [] }) : []

function breedThings({ kind, name, guide, path, locale, origin }: BreedData): object[] {
  const url = (to: string) => origin + localized(to, locale)
  const steps = [
    { name: m.site_name(), item: url('/') },
    { name: guide, item: url('/breeds') },
    { name, item: url(path) },
  ]
  const crumbs = {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, at) => ({ '@type': 'ListItem', position: at + 1, ...step })),
  }
  return [...listThings(kind.cards, { locale, origin }), crumbs]
}

export default function BreedPage({ loaderData }: Route.ComponentProps) {
  return (
    <ServerOnly
      id={`breed${loaderData.path.replaceAll('/', '-')}`}
      isPersonal
      part={import.meta.env.SSR && <BreedView page={loaderData} />}
    />
  )
}

export type BreedData = Route.ComponentProps['loaderData']
