import { PhoneLink } from '#src/accounts/phone-link.tsx'
import type { ReactNode } from 'react'
import { Fact } from '#src/accounts/profile/profile-fact.tsx'
import type { FormRefusal } from '#src/kit/http/page.server.ts'
import { VerificationForm } from './verification-form.tsx'
import { DuplicateList, stateTexts, VerdictHistory } from './verification-parts.tsx'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { Link } from '#src/ui/link.tsx'
import { Picture, PictureGround } from '#src/ui/picture.tsx'
import { Stars } from '#src/ui/stars.tsx'
import type { ShownToVerify } from './verification-facts.server.ts'
import { QueueList } from './queue-list.tsx'
import { QueueKeys } from './verification-keys.tsx'
import type { VerificationPageData } from './verification-page.tsx'

type Page = VerificationPageData & { refused: FormRefusal | undefined }

/** The queue, one animal of it with all the facts an admin needs, and the verdict: on a desk all of them side by side. */
export function VerificationView({ shown, refused, csrf, done, listings, ...queue }: Page) {
  const to = useLocalPath()
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="text-lg">{m.verify_queue_title()}</h1>
        {shown !== null && <QueueNav {...queue} />}
        <p className="ml-auto font-semibold text-stone">
          {queue.count === 1 ? m.verify_queue_count_one() : m.verify_queue_count({ count: queue.count })}
        </p>
      </div>
      {done !== null && !refused && (
        <p role="status" className="rounded-control bg-leaf-soft px-3 py-1 font-semibold">
          {m.verify_saved()}{' '}
          <a href={to(`/product/${done}?tab=verification`)} className="tap-link">
            {m.verify_queue_done()}
          </a>
        </p>
      )}
      {shown === null ? (
        <div className="panel px-4 py-10 text-center">
          <p className="text-lg">{m.verify_queue_empty()}</p>
          <a href={to('/buy/0')} className="button-plain mt-4">
            {m.verify_queue_empty_buy()}
          </a>
        </div>
      ) : (
        <>
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[12.5rem_minmax(0,1fr)_22rem]">
            <QueueList listings={listings} shownId={shown.id} />
            <Animal key={shown.id} shown={shown} csrf={csrf} refused={refused} />
          </div>
          <QueueKeys previousId={queue.previousId} nextId={queue.nextId} />
        </>
      )}
    </div>
  )
}

function QueueNav({ count, place, previousId, nextId }: Pick<Page, 'count' | 'place' | 'previousId' | 'nextId'>) {
  const to = useLocalPath()
  const step = (id: number | null, label: ReactNode) =>
    id === null ? (
      <span aria-hidden="true" className="button border border-line px-3 text-stone">
        {label}
      </span>
    ) : (
      <Link to={to(`/admin/verification?id=${id}`)} className="button-plain px-3">
        {label}
      </Link>
    )
  return (
    <nav aria-label={m.verify_queue_nav()} className="row gap-2">
      {step(
        previousId,
        <>
          <Icon name="previous" size={18} />
          {m.verify_queue_previous()}
        </>,
      )}
      {step(
        nextId,
        <>
          {m.verify_queue_next()}
          <Icon name="next" size={18} />
        </>,
      )}
      {place === null ? (
        count > 0 && (
          <Link to={to('/admin/verification')} className="tap-link font-semibold">
            {m.verify_queue_first()}
          </Link>
        )
      ) : (
        <span className="font-semibold">{m.verify_queue_place({ place, count })}</span>
      )}
      <a href="#verdict" className="tap-link ml-auto font-semibold lg:hidden">
        {m.verify_verdict()}
      </a>
    </nav>
  )
}

function Animal({ shown, csrf, refused }: { shown: ShownToVerify; csrf: string; refused: FormRefusal | undefined }) {
  const to = useLocalPath()
  return (
    <article className="contents">
      <div className="space-y-3">
        <div>
          <h2 className="text-xl">
            <a href={to(`/product/${shown.id}`)} className="link">
              {shown.name}
            </a>
          </h2>
          <p className="text-stone">
            {shown.code} · {shown.kind} · <span title={shown.submittedOn}>{m.verify_waiting_since({ when: shown.submitted })}</span>
          </p>
        </div>
        <Photos shown={shown} />
        <Facts shown={shown} />
      </div>
      <div className="space-y-3 lg:sticky lg:top-2 lg:max-h-[calc(100dvh-1rem)] lg:overflow-y-auto">
        {shown.wildlife !== '' && <p className="failure">{m.verify_wildlife({ words: shown.wildlife })}</p>}
        <DuplicateList duplicates={shown.duplicates} />
        <section id="verdict" aria-label={m.verify_verdict()} className="panel p-4">
          {shown.isOwn ? (
            <p>{m.verify_own()}</p>
          ) : shown.mayVerify ? (
            <>
              {shown.state !== 'pending' && (
                <p className="notice mb-3">
                  {m.verify_not_waiting()} <b>{shown.isSold ? m.product_sold() : stateTexts[shown.state]()}</b>
                </p>
              )}
              <VerificationForm listingId={shown.id} version={shown.version} csrf={csrf} from="queue" refused={refused} />
            </>
          ) : (
            <p>
              {m.verify_not_waiting()} <b>{shown.isSold ? m.product_sold() : stateTexts[shown.state]()}</b>
            </p>
          )}
        </section>
        <Seller shown={shown} />
        <div className="panel p-4">
          <VerdictHistory verdicts={shown.verdicts} />
        </div>
      </div>
    </article>
  )
}

/** One large photo at a time, and a strip that leads to each; all of them below each other on a phone. */
function Photos({ shown }: { shown: ShownToVerify }) {
  return (
    <section aria-label={m.verify_photos()}>
      <ul
        tabIndex={0}
        aria-label={m.verify_photos()}
        className="grid gap-2 lg:flex lg:snap-x lg:snap-mandatory lg:gap-0 lg:overflow-x-auto lg:rounded-card"
      >
        {shown.photos.map((photo, index) => (
          <li
            key={photo.key}
            id={`verify-photo-${index + 1}`}
            className="relative aspect-4/3 overflow-hidden rounded-card bg-husk-dark lg:aspect-16/10 lg:w-full lg:shrink-0 lg:snap-start lg:rounded-none"
          >
            <PictureGround color={photo.color} hash={photo.hash} />
            <Picture
              mediaKey={photo.key}
              alt={m.product_photo({ number: index + 1, name: shown.name })}
              sizes="(min-width: 1024px) 720px, 100vw"
              width={photo.width}
              height={photo.height}
              isFirst={index === 0}
              className="absolute inset-0 h-full w-full object-contain"
            />
          </li>
        ))}
      </ul>
      {shown.photos.length > 1 && <PhotoStrip shown={shown} />}
    </section>
  )
}

function PhotoStrip({ shown }: { shown: ShownToVerify }) {
  return (
    <ul className="mt-2 hidden gap-2 lg:flex">
      {shown.photos.map((photo, index) => (
        <li key={photo.key}>
          <a
            href={`#verify-photo-${index + 1}`}
            aria-label={m.product_photo({ number: index + 1, name: shown.name })}
            className="relative block overflow-hidden rounded-control"
          >
            <Picture mediaKey={photo.key} alt="" isSmall sizes="64px" width={64} height={48} className="h-12 w-16 object-cover" />
            <kbd aria-hidden="true" className="absolute right-0 bottom-0 rounded-tl bg-black/70 px-1 text-xs text-white">
              {index + 1}
            </kbd>
          </a>
        </li>
      ))}
    </ul>
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
    <section aria-labelledby="verify-facts" className="panel p-4">
      <h3 id="verify-facts" className="sr-only">
        {m.verify_facts()}
      </h3>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2">
        {facts.map(
          ([label, value]) =>
            value !== '' && (
              <div key={label} className="min-w-0">
                <dt className="text-sm text-stone">{label}</dt>
                <dd className="leading-snug font-semibold break-words whitespace-pre-line">{value}</dd>
              </div>
            ),
        )}
        <div className="col-span-2">
          <dt className="text-sm text-stone">{m.product_description()}</dt>
          <dd className="whitespace-pre-line">{shown.description}</dd>
        </div>
      </dl>
    </section>
  )
}

const Lines = ({ lines }: { lines: string[] }) => (
  <>
    {lines.map((line, index) => (
      <span key={index} className="block">
        {line}
      </span>
    ))}
  </>
)

const TELEPHONE = 'tap-link -my-2 font-semibold'

function Seller({ shown }: { shown: ShownToVerify }) {
  const to = useLocalPath()
  const { seller, pickup, typedBy } = shown
  return (
    <section aria-labelledby="verify-seller" className="panel p-4">
      <h3 id="verify-seller" className="text-lg font-bold">
        {m.verify_seller()}
      </h3>
      <dl className="mt-1 divide-y divide-line">
        <Fact label={m.profile_name()}>
          <a href={to(`/admin/users/${seller.id}`)} className="link font-semibold">
            {seller.name}
          </a>{' '}
          {seller.isVerified && (
            <span className="chip bg-leaf-soft text-leaf">
              <Icon name="badge" size={16} />
              {m.card_verified_seller()}
            </span>
          )}
          <Stars average={seller.stars} count={seller.ratings} />
        </Fact>
        <Fact label={m.profile_phone()}>
          <PhoneLink phone={seller.phone} className={TELEPHONE} />
        </Fact>
        {pickup && (
          <Fact label={m.product_pickup()}>
            <Lines lines={pickup.lines} />
            {pickup.phone !== seller.phone && <PhoneLink phone={pickup.phone} className={TELEPHONE} />}
          </Fact>
        )}
        {typedBy && (
          <Fact label={m.verify_typed_by()}>
            <a href={to(`/admin/users/${typedBy.id}`)} className="link">
              {typedBy.name}
            </a>
          </Fact>
        )}
      </dl>
      <p className="mt-1 text-sm text-stone">{m.users_look_noted()}</p>
      <h4 className="mt-3 font-bold">{shown.othersCount === 0 ? m.verify_others_none() : m.verify_others({ count: shown.othersCount })}</h4>
      <OtherListings others={shown.others} />
    </section>
  )
}

function OtherListings({ others }: Pick<ShownToVerify, 'others'>) {
  const to = useLocalPath()
  return (
    <ul className="mt-1 divide-y divide-line">
      {others.map((other) => (
        <li key={other.id}>
          <a href={to(`/product/${other.id}`)} className="flex min-h-11 items-center gap-3 py-1 hover:bg-leaf-soft">
            {other.photoKey && (
              <Picture
                mediaKey={other.photoKey}
                alt=""
                isSmall
                sizes="56px"
                width={56}
                height={42}
                className="h-10.5 w-14 shrink-0 rounded-control object-cover"
              />
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
