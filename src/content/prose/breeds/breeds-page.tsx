import { pageLoader } from '#src/kit/http/page.server.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import { ServerOnly } from '#src/document/server-only.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { speciesPicture } from '#src/listings/animal-pictures.ts'
import { breedsHead, moreToRead, readBreedIndex } from './breed-index.server.ts'
import { pillClass } from './kind-for-sale.tsx'
import type { Route } from './+types/breeds-page'

export const loader = pageLoader(async (ctx) => ({
  ...breedsHead(ctx.locale),
  groups: await readBreedIndex(ctx),
  more: moreToRead(ctx.locale),
}))

export const meta = publicMeta<Route.MetaArgs>((page) => ({ ...page, path: '/breeds' }))

type BreedsData = Route.ComponentProps['loaderData']

export default function BreedsPage({ loaderData }: Route.ComponentProps) {
  return <ServerOnly id="breeds" isPersonal part={import.meta.env.SSR && <BreedsView page={loaderData} />} />
}

/** The index of breeds. Rendered on the server only. */
function BreedsView({ page: { title, description, groups, more } }: { page: BreedsData }) {
  const to = useLocalPath()
  return (
    <div className="space-y-8">
      <div>
        <h1 className="text-2xl md:text-3xl">{title}</h1>
        <p className="mt-2 max-w-3xl text-lg text-stone">{description}</p>
      </div>
      <nav aria-label={title}>
        <ul className="flex flex-wrap gap-2">
          {groups.map(({ id, name }) => (
            <li key={id}>
              <a href={`#c${id}`} className={pillClass}>
                <img src={speciesPicture(id)} alt="" width={28} height={28} className="mr-2 -ml-1 size-7" />
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {groups.map((group) => (
        <Group key={group.id} group={group} />
      ))}
      <nav aria-label={m.breed_guides()}>
        <h2 className="mb-2 text-xl">{m.breed_guides()}</h2>
        <ul>
          {more.map(({ path, title: name }) => (
            <li key={path}>
              <a href={to(path)} className="tap-link font-semibold">
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  )
}

/** The breeds of one species, each with the number for sale. */
function Group({ group }: { group: BreedsData['groups'][number] }) {
  const to = useLocalPath()
  return (
    <section id={`c${group.id}`} aria-labelledby={`c${group.id}-title`}>
      <h2 id={`c${group.id}-title`} className="mb-3 flex items-center gap-3 text-xl md:text-2xl">
        <img src={speciesPicture(group.id)} alt="" width={44} height={44} loading="lazy" className="size-11" />
        {group.name}
      </h2>
      <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
        {group.breeds.map(({ name, path, picture, tract, count }) => (
          <li key={path}>
            <a
              href={to(path)}
              className="grid h-full grid-cols-[3.5rem_1fr] content-center items-center gap-x-3 rounded-card border border-line bg-paper p-2 hover:border-leaf hover:bg-leaf-soft"
            >
              <img
                src={picture ?? speciesPicture(group.id)}
                alt=""
                width={56}
                height={56}
                loading="lazy"
                className="row-span-2 size-14 rounded-lg"
              />
              <b className="self-end">{name}</b>
              <span className="self-start text-sm text-stone">
                {tract}
                {count && (
                  <>
                    {' · '}
                    <span className="font-semibold text-leaf min-[20rem]:whitespace-nowrap">{m.breed_index_count({ count })}</span>
                  </>
                )}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
