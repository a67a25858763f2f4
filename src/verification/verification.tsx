import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useFetcher, useNavigate } from 'react-router'
import { NumberedName } from '#src/accounts/numbered-name.tsx'
import { PhoneLink } from '#src/accounts/phone-link.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { Picture, Thumbnail } from '#src/ui/picture.tsx'
import { Stars, VerifiedSeller } from '#src/ui/stars.tsx'
import { AnimalPhotos, PHOTO_SIZES } from './animal-photos.tsx'
import { Aside, DeskResult, type LostVerdict } from './desk-acts.tsx'
import { LISTING_HASH, queuePath, queueQuery, type QueueFilter } from './queue-filter.ts'
import { QueueFilters } from './queue-filters.tsx'
import { QueueList } from './queue-list.tsx'
import type { ShownToVerify } from './verification-facts.server.ts'
import { VerificationForm, verdictKey } from './verification-form.tsx'
import { QueueKeys } from './verification-keys.tsx'
import type { VerificationPageData } from './verification-view.server.ts'
import { Changed, DuplicateList, Line, stateTexts, VerdictHistory } from './verification-parts.tsx'

type Page = VerificationPageData & { refused: FormRefusal | undefined }

/** The queue, one listing with all facts, and the verdict; side by side on a wide screen. */
export function VerificationView(page: Page) {
  const { ahead, photo, isSaving, refusal } = useAhead(page)
  const lost = useLost(page, refusal)
  const { shown, listings, filter, ...queue } = ahead ?? page
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-3 lg:min-h-11 lg:flex-nowrap">
        <h1 className="text-lg lg:whitespace-nowrap">{m.verify_queue_title()}</h1>
        <DeskResult page={page} isSaving={isSaving} lost={lost} />
        <p className="ml-auto text-sm font-semibold whitespace-nowrap text-stone">
          {queue.count === 1 ? m.verify_queue_count_one() : m.verify_queue_count({ count: queue.count })}
        </p>
      </div>
      <QueueFilters filter={filter} filters={page.filters} />
      {shown === null ? (
        <Empty filter={filter} />
      ) : (
        <div className="grid grid-cols-1 items-start gap-4 max-lg:pb-36 noscript:pb-0 lg:grid-cols-[13rem_1fr_22rem] short:pb-0">
          <QueueList listings={listings} shownId={shown.id} filter={filter} count={queue.count} />
          <Animal
            key={shown.id}
            shown={shown}
            filter={filter}
            claimedBy={queue.claimedBy}
            refused={ahead ? undefined : page.refused}
            nav={<QueueNav {...queue} filter={filter} />}
          />
        </div>
      )}
      {photo && <PhotoAhead photo={photo} />}
      {(shown !== null || page.done.length > 0) && <QueueKeys previousId={queue.previousId} nextId={queue.nextId} filter={filter} />}
    </div>
  )
}

/**
 * Prefetches the next listing, and shows it while the verdict on this one is being sent. A refused verdict shows
 * this one again with the typed text.
 */
function useAhead({ shown, thenId, filter }: Page): Ahead {
  const to = useLocalPath()
  const verdict = useFetcher<{ refused?: FormRefusal }>({ key: verdictKey(shown?.id) })
  const next = useFetcher<VerificationPageData>()
  const load = useEffectEvent(() => {
    if (thenId !== null) void next.load(to(queuePath(filter, { id: thenId, ahead: 1 })))
  })
  useEffect(() => load(), [shown?.id, thenId])
  const isSaving = verdict.state !== 'idle'
  const loaded = next.data?.shown && next.data.shown.id === thenId ? next.data : null
  return {
    ahead: isSaving ? loaded : null,
    photo: loaded?.shown?.photos[0] ?? null,
    isSaving,
    refusal: isSaving ? undefined : verdict.data?.refused,
  }
}

/**
 * When another admin has decided the listing first, the desk goes on to the next one. Returns the refused verdict for as
 * long as that one is shown.
 */
function useLost({ shown, thenId, filter }: Page, refusal: FormRefusal | undefined): LostVerdict | undefined {
  const to = useLocalPath()
  const navigate = useNavigate()
  const [lost, setLost] = useState<LostVerdict>()
  const goOn = useEffectEvent(() => {
    if (!shown || thenId === null || !refusal?.isDecided) return
    setLost({ refused: refusal, code: shown.code, listingId: shown.id, during: thenId })
    void navigate(to(queuePath(filter, { id: thenId })), { replace: true })
  })
  useEffect(() => goOn(), [refusal])
  return lost?.during === shown?.id ? lost : undefined
}

interface Ahead {
  ahead: VerificationPageData | null
  /** Its first photo, as soon as the data is there. */
  photo: ShownToVerify['photos'][number] | null
  isSaving: boolean
  /** Refuses the verdict on the listing that is shown. */
  refusal: FormRefusal | undefined
}

/** Preloads the next listing's first photo in its display size. */
const PhotoAhead = ({ photo }: { photo: NonNullable<Ahead['photo']> }) => (
  <div data-ahead aria-hidden="true" className="pointer-events-none fixed top-0 left-0 size-px overflow-hidden opacity-0">
    <Picture mediaKey={photo.key} alt="" sizes={PHOTO_SIZES} width={photo.width} height={photo.height} isFirst />
  </div>
)

function Empty({ filter }: Pick<Page, 'filter'>) {
  const to = useLocalPath()
  const isFiltered = queueQuery(filter) !== ''
  return (
    <div className="panel px-4 py-10 text-center">
      <p className="text-lg">{isFiltered ? m.verify_queue_empty_filter() : m.verify_queue_empty()}</p>
      <a href={to(isFiltered ? '/admin/verification' : '/buy/0')} className="button-plain mt-4">
        {isFiltered ? m.verify_view_all() : m.verify_queue_empty_buy()}
      </a>
    </div>
  )
}

/** On a phone: the place in the queue, and the listings before and after. A desktop has the list beside. */
function QueueNav({ count, place, previousId, nextId, filter }: Pick<Page, 'count' | 'place' | 'previousId' | 'nextId' | 'filter'>) {
  const to = useLocalPath()
  if (place === null && previousId === null && nextId === null) return null
  const step = (id: number | null, icon: 'previous' | 'next', label: string) =>
    id === null ? (
      <span className="size-11" />
    ) : (
      <Link to={to(queuePath(filter, { id }) + LISTING_HASH)} aria-label={label} className="icon-button text-leaf">
        <Icon name={icon} size={22} />
      </Link>
    )
  return (
    <nav aria-label={m.verify_queue_nav()} className="flex shrink-0 items-center lg:hidden">
      {step(previousId, 'previous', m.verify_queue_previous())}
      {place !== null && <b className="text-sm whitespace-nowrap">{m.verify_queue_place({ place, count })}</b>}
      {step(nextId, 'next', m.verify_queue_next())}
    </nav>
  )
}

interface AnimalProps {
  shown: ShownToVerify
  filter: QueueFilter
  claimedBy: string | null
  refused: FormRefusal | undefined
  nav: ReactNode
}

function Animal({ shown, filter, claimedBy, refused, nav }: AnimalProps) {
  const to = useLocalPath()
  return (
    <article className="contents">
      <div className="min-w-0 space-y-3">
        <div id={LISTING_HASH.slice(1)} className="scroll-mt-16 lg:scroll-mt-96">
          <div className="flex items-start justify-between gap-x-2">
            <h2 className="text-xl leading-snug">
              <a href={to(`/product/${shown.id}`)} className="link">
                {shown.name}
              </a>
            </h2>
            {nav}
          </div>
          <p className="text-sm text-stone">
            {shown.code} · {shown.kind} · <span title={shown.submittedOn}>{m.verify_waiting_since({ when: shown.submitted })}</span>
          </p>
        </div>
        <Changed changes={shown.changes} />
        <AnimalPhotos shown={shown} />
        {shown.beside ? <FactsBeside shown={shown} beside={shown.beside} /> : <Facts shown={shown} />}
      </div>
      <div className="space-y-3 lg:sticky lg:top-2 lg:max-h-[calc(100dvh-11rem)] lg:overflow-y-auto">
        {claimedBy !== null && <p className="notice">{m.verify_claimed({ name: claimedBy })}</p>}
        {shown.isPuppy && <p className="notice font-semibold">{m.verify_puppy()}</p>}
        {shown.wildlife !== '' && <p className="failure">{m.verify_wildlife({ words: shown.wildlife })}</p>}
        {/* The list itself is further down, because twelve entries would push the verdict off the screen. */}
        {shown.duplicates.length > 0 && (
          <a href="#verify-duplicates" className="button-plain w-full justify-start border-brick bg-brick-soft text-brick">
            {m.verify_duplicates_seen({ count: shown.duplicates.length })}
          </a>
        )}
        {mayDecide(shown) && shown.state !== 'pending' && (
          <p className="notice">
            <NotWaiting shown={shown} />
          </p>
        )}
        <Verdict shown={shown} filter={filter} refused={refused} />
        <Aside shown={shown} filter={filter} refused={refused} />
        <Seller shown={shown} />
        <DuplicateList duplicates={shown.duplicates} beside={(beside) => to(queuePath(filter, { id: shown.id, beside }))} />
        <div className="panel p-4">
          <VerdictHistory verdicts={shown.verdicts} />
        </div>
      </div>
    </article>
  )
}

const mayDecide = ({ isOwn, mayVerify }: ShownToVerify) => !isOwn && mayVerify

const NotWaiting = ({ shown }: Pick<AnimalProps, 'shown'>) => (
  <>
    {m.verify_not_waiting()} <b>{shown.isSold ? m.product_sold() : stateTexts[shown.state]()}</b>
  </>
)

/** On a phone Pass and Fail stay at the foot of the screen; the rest of the form opens there with the choice. */
function Verdict({ shown, filter, refused }: Pick<AnimalProps, 'shown' | 'filter' | 'refused'>) {
  const hasForm = mayDecide(shown)
  return (
    <section
      id="verdict"
      data-desk-foot={hasForm || undefined}
      aria-label={m.verify_verdict()}
      className={`panel p-3 ${hasForm ? 'phone-foot' : ''}`}
    >
      {shown.isOwn ? (
        <p>{m.verify_own()}</p>
      ) : hasForm ? (
        <>
          <VerificationForm
            listingId={shown.id}
            seen={shown.seen}
            from="queue"
            query={queueQuery(filter, { id: shown.id })}
            next={queueQuery(filter)}
            refused={refused}
          />
        </>
      ) : (
        <p>
          <NotWaiting shown={shown} />
        </p>
      )}
    </section>
  )
}

function Facts({ shown }: { shown: ShownToVerify }) {
  const price = shown.offer ? `${shown.offer} (${shown.price})` : shown.price
  const facts: [string, string][] = [
    [m.product_price(), [price, shown.usual].filter(Boolean).join('\n')],
    [m.product_location(), shown.place],
    ...shown.facts.map(({ label, text }): [string, string] => [label, text]),
    [m.product_tab_vaccination(), shown.vaccinations.join('\n')],
  ]
  return (
    <section aria-labelledby="verify-facts" className="panel p-3">
      <h3 id="verify-facts" className="sr-only">
        {m.verify_facts()}
      </h3>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-1 text-sm leading-snug">
        {facts.map(
          ([label, value]) =>
            value !== '' && (
              <div key={label} className="flex min-w-0 flex-wrap gap-x-1.5">
                <dt className="text-stone">{label}</dt>
                <dd className="min-w-0 font-semibold break-words whitespace-pre-line">{value}</dd>
              </div>
            ),
        )}
        <div className="col-span-2">
          <dt className="sr-only">{m.product_description()}</dt>
          <dd className="text-base leading-snug whitespace-pre-line">{shown.description}</dd>
        </div>
      </dl>
    </section>
  )
}

function FactsBeside({ shown, beside }: { shown: ShownToVerify; beside: NonNullable<ShownToVerify['beside']> }) {
  return (
    <section aria-label={m.verify_facts()} className="@container panel p-3 leading-snug">
      <table className="w-full table-fixed text-left text-sm">
        <thead>
          <tr className="text-stone @max-sm:grid @max-sm:grid-cols-2">
            <th scope="col" className="@max-sm:col-span-2">
              <span className="sr-only">{m.verify_facts()}</span>
            </th>
            <th scope="col" className="pr-3">
              {m.verify_this_one()}
            </th>
            <th scope="col">{m.verify_other_column()}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {beside.facts.map(({ label, mine, theirs, differs }) => (
            <tr key={label} className={`@max-sm:grid @max-sm:grid-cols-2 ${differs ? 'font-semibold' : 'text-stone'}`}>
              <th scope="row" className="py-0.5 pr-3 font-normal break-words text-stone @max-sm:col-span-2">
                {label}
              </th>
              <td className="py-0.5 pr-3 break-words">{mine || '–'}</td>
              <td className={`py-0.5 break-words ${differs ? 'text-brick' : ''}`}>{theirs || '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-1 whitespace-pre-line">{shown.description}</p>
    </section>
  )
}

function Seller({ shown }: { shown: ShownToVerify }) {
  const to = useLocalPath()
  const { seller, pickup, typedBy, othersCount } = shown
  return (
    <section aria-labelledby="verify-seller" className="panel p-3 text-sm">
      <h3 id="verify-seller" className="sr-only">
        {m.verify_seller()}
      </h3>
      <dl className="space-y-1">
        <div>
          <dt className="sr-only">{m.profile_name()}</dt>
          <dd className="flex flex-wrap items-center gap-x-2">
            <a href={to(`/admin/users/${seller.id}`)} className="link text-base font-semibold">
              <NumberedName {...seller} />
            </a>
            <VerifiedSeller isVerified={seller.isVerified} />
            <Stars average={seller.stars} count={seller.ratings} />
          </dd>
        </div>
        <Line label={m.profile_phone()}>
          <PhoneLink phone={seller.phone} className={TELEPHONE} />
        </Line>
        {pickup && (
          <Line label={m.product_pickup()}>
            {pickup.lines.join(', ')} {pickup.phone !== seller.phone && <PhoneLink phone={pickup.phone} className={TELEPHONE} />}
          </Line>
        )}
        {typedBy && (
          <Line label={m.verify_typed_by()}>
            <a href={to(`/admin/users/${typedBy.id}`)} className="link">
              {typedBy.name}
            </a>
          </Line>
        )}
      </dl>
      <p className="mt-1 text-stone">{m.users_look_noted()}</p>
      <h4 className="mt-2 font-bold">{othersCount === 0 ? m.verify_others_none() : m.verify_others({ count: othersCount })}</h4>
      <OtherListings others={shown.others} />
    </section>
  )
}

const TELEPHONE = 'tap-link -my-2 font-semibold'

function OtherListings({ others }: Pick<ShownToVerify, 'others'>) {
  const to = useLocalPath()
  return (
    <ul className="mt-1 divide-y divide-line">
      {others.map((other) => (
        <li key={other.id}>
          <a href={to(`/product/${other.id}`)} className="flex min-h-11 items-center gap-3 py-1 hover:bg-leaf-soft">
            {other.photoKey && (
              <Thumbnail mediaKey={other.photoKey} width={56} height={42} className="h-10.5 w-14 shrink-0 rounded-control object-cover" />
            )}
            <span className="min-w-0">
              <span className="block text-leaf underline">{other.name}</span>
              <span className="block text-sm text-stone">
                {other.price} · {other.isSold ? m.product_sold() : stateTexts[other.state]()}
              </span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}
