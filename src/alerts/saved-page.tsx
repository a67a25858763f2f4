import { redirect } from 'react-router'
import { useEffect, useState } from 'react'
import type { Ctx } from '#src/kit/context.ts'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction, textOf, type FormRefusal } from '#src/kit/http/page.server.ts'
import { notFound, Problem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { idIn } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { LoggedOut } from '#src/accounts/sign-in/logged-out.tsx'
import { formatRupees, rupees } from '#src/kit/time-money/money.ts'
import { ListingRow } from '#src/listings/browse/listing-row.tsx'
import { fetchShortCards, type ShortCard } from '#src/listings/browse/short-cards.ts'
import { Icon } from '#src/ui/icon.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { HiddenFields, PostForm } from '#src/ui/post-form.tsx'
import { TitledPanel } from '#src/ui/panels.tsx'
import { removeSearch, saveListing, saveSearch, switchAlerts, unsaveListing } from './saved.server.ts'
import { ALERT_KINDS } from './tables.ts'
import { type Done, readSavedPage } from './saved-view.server.ts'
import { readSaved } from './hearts-script.ts'
import { savedOnDevice, setOnDevice } from './saved-on-device.ts'
import type { Route } from './+types/saved-page'

export const loader = formLoader((ctx, { url }) => readSavedPage(ctx, url))

export const action = pageAction('saved', async (ctx, { form }): Promise<never> => {
  const act = acts.get(textOf(form, 'act'))
  if (!act) throw new Problem('MALFORMED')
  const done = await act(ctx, form)
  throw redirect(localized(`/saved?done=${done}`, ctx.locale))
})

type Act = (ctx: Ctx, form: FormData) => Promise<Done>

const acts = new Map<string, Act>(
  Object.entries({
    'save-listing': async (ctx, form) => {
      await saveListing(ctx, idIn(textOf(form, 'id')))
      return 'saved'
    },
    'remove-listing': async (ctx, form) => {
      await unsaveListing(ctx, idIn(textOf(form, 'id')))
      return 'removed'
    },
    'save-search': async (ctx, form) => {
      await saveSearch(ctx, textOf(form, 'path'))
      return 'saved'
    },
    'remove-search': async (ctx, form) => {
      await removeSearch(ctx, idIn(textOf(form, 'id')))
      return 'removed'
    },
    switch: async (ctx, form) => {
      const kind = ALERT_KINDS.find((each) => each === textOf(form, 'kind'))
      if (!kind) throw notFound()
      await switchAlerts(ctx, kind, textOf(form, 'on') === '1')
      return 'switched'
    },
  } satisfies Record<string, Act>),
)

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.saved_title(), description: m.saved_lead() }))

type ListPage = Extract<Route.ComponentProps['loaderData'], { kind: 'list' }>
type Animal = ListPage['animals'][number]

export default function SavedPage({ loaderData: page, actionData }: Route.ComponentProps) {
  return (
    <div className="space-y-6 py-2">
      <header className="space-y-1">
        <h1 className="text-2xl">{m.saved_title()}</h1>
        <p className="max-w-3xl text-stone">{m.saved_lead()}</p>
      </header>
      {page.kind === 'logged-out' ? <OnDevice path={page.path} /> : <List page={page} refused={actionData?.refused} />}
    </div>
  )
}

/** Anonymous visitors have their hearts on the device (hearts-script.ts); the next login moves them to the account. */
function OnDevice({ path }: { path: string }) {
  const to = useLocalPath()
  const [count, setCount] = useState(0)
  /** Sold or ended since: the market has no card of them. */
  const [gone, setGone] = useState<number[]>([])
  const [cards, setCards] = useState<ShortCard[]>([])
  useEffect(() => {
    const ids = savedOnDevice()
    setCount(ids.length)
    // Offline, the number alone stays.
    if (ids.length === 0) return
    fetchShortCards(ids).then(
      (found) => {
        setCards(found)
        setGone(ids.filter((id) => found.every((card) => card.id !== id)))
      },
      () => {},
    )
  }, [])
  const remove = (...ids: number[]) => {
    for (const id of ids) setOnDevice(id, false)
    setCount(savedOnDevice().length)
    setCards(cards.filter(({ id }) => !ids.includes(id)))
    setGone(gone.filter((id) => !ids.includes(id)))
  }
  return (
    <>
      {count > 0 && <p className="panel p-4 font-semibold">{count === 1 ? m.saved_here_one() : m.saved_here({ count })}</p>}
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {cards.map(({ id, name, price, image }) => (
          <li key={id} className="panel flex items-center gap-3 p-2">
            <img src={image ?? '/species/none.webp'} alt="" width={112} height={84} className="h-21 w-28 rounded-control object-cover" />
            <div className="min-w-0 grow">
              <b className="block text-lg">{formatRupees(rupees(price))}</b>
              <a href={to(`/product/${id}`)} className="tap-link break-words">
                {name}
              </a>
            </div>
            <button type="button" onClick={() => remove(id)} aria-label={m.saved_remove_of({ name })} className="icon-button">
              <Icon name="close" size={20} />
            </button>
          </li>
        ))}
      </ul>
      {gone.length > 0 && (
        <p className="note row justify-between">
          {m.saved_gone({ count: gone.length })}
          <button type="button" onClick={() => remove(...gone)} className="button-plain">
            {m.saved_gone_remove()}
          </button>
        </p>
      )}
      <LoggedOut path={path} />
    </>
  )
}

/** Moves what was saved on the device into the account, and shows it. */
function useSavedOnDevice() {
  useEffect(() => {
    const before = savedOnDevice().length
    // Reload the document: React renders no new data before somebody touches the page (document/deferred.tsx).
    if (before > 0) void readSaved().then(() => savedOnDevice().length < before && location.reload())
  }, [])
}

const doneTexts: Record<Done, () => string> = {
  saved: m.saved_done_saved,
  removed: m.saved_done_removed,
  switched: m.saved_done_switched,
}

function List({ page, refused }: { page: ListPage; refused: FormRefusal | undefined }) {
  useSavedOnDevice()
  return (
    <>
      {page.done && !refused && <FormDone>{doneTexts[page.done]()}</FormDone>}
      {refused && <FormFailure detail={refused.detail} />}
      {page.asked && <Asked asked={page.asked} />}
      <Animals page={page} />
      <Searches page={page} />
      <Switches page={page} />
    </>
  )
}

function Animals({ page }: { page: ListPage }) {
  const to = useLocalPath()
  const { animals } = page
  return (
    <section aria-labelledby="animals" className="space-y-3">
      <h2 id="animals" className="text-xl">
        {m.saved_animals()} <Count count={animals.length} max={page.maxAnimals} />
      </h2>
      {animals.length === 0 ? (
        <div className="panel space-y-3 p-5">
          <p>{m.saved_animals_none()}</p>
          <a href={to('/buy/0')} className="button-primary">
            {m.saved_browse()}
          </a>
        </div>
      ) : (
        <ul className="listing-rows">
          {animals.map((animal) =>
            animal.availability === 'gone' ? (
              <li key={animal.id}>
                <Gone animal={animal} />
                <Remove animal={animal} />
              </li>
            ) : (
              <ListingRow
                key={animal.id}
                card={animal.card}
                toggles={
                  <div className="row justify-between gap-x-3 px-2">
                    <SinceThen animal={animal} />
                    <Remove animal={animal} />
                  </div>
                }
              />
            ),
          )}
        </ul>
      )}
    </section>
  )
}

const Remove = ({ animal }: { animal: Animal }) => (
  <Act act="remove-listing" id={animal.id}>
    <button type="submit" aria-label={m.saved_remove_of({ name: nameOf(animal) })} className="button-plain my-1 px-3">
      {m.saved_remove()}
    </button>
  </Act>
)

function Searches({ page }: { page: ListPage }) {
  const to = useLocalPath()
  const { searches } = page
  return (
    <section aria-labelledby="searches" className="space-y-3">
      <h2 id="searches" className="text-xl">
        {m.saved_searches()} <Count count={searches.length} max={page.maxSearches} />
      </h2>
      {searches.length === 0 ? (
        <p className="panel p-5">{m.saved_searches_none()}</p>
      ) : (
        <ul className="panel divide-y divide-line">
          {searches.map(({ id, path, words }) => (
            <li key={id} className="row justify-between gap-2 px-4 py-2">
              <a href={to(path)} className="tap-link min-w-0 font-semibold break-words">
                {words}
              </a>
              <Act act="remove-search" id={id}>
                <button type="submit" aria-label={m.saved_remove_of({ name: words })} className="button-plain px-3">
                  {m.saved_remove()}
                </button>
              </Act>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Count({ count, max }: { count: number; max: number }) {
  return count > 0 && <span className="text-base font-normal text-stone">{m.saved_count({ count, max })}</span>
}

/** A form with a single button, as all forms on this page. */
function Act({ act, id, children }: { act: string; id?: number; children: React.ReactNode }) {
  const to = useLocalPath()
  return (
    <PostForm action={to('/saved')}>
      <HiddenFields act={act} id={id} />
      {children}
    </PostForm>
  )
}

/** Opened from a cached page, which is the same for every visitor: a form here saves the animal or search. */
function Asked({ asked }: { asked: NonNullable<ListPage['asked']> }) {
  const question = asked.kind === 'listing' ? m.saved_ask_listing() : m.saved_ask_search()
  const save = (
    <button type="submit" className="button-primary">
      {m.saved_save()}
    </button>
  )
  return (
    <TitledPanel id="asked" title={asked.isSaved ? m.saved_already() : question} className="notice-panel max-w-md space-y-3 p-4">
      {asked.kind === 'search' && <p className="font-semibold break-words">{asked.words}</p>}
      {!asked.isSaved &&
        (asked.kind === 'listing' ? (
          <Act act="save-listing" id={asked.card.id}>
            {save}
          </Act>
        ) : (
          <Act act="save-search">
            <input type="hidden" name="path" value={asked.path} />
            {save}
          </Act>
        ))}
      {/* Below the button, because on a phone the picture would push the button off the screen. */}
      {asked.kind === 'listing' &&
        (asked.isSaved ? (
          <p className="font-semibold">{asked.card.name}</p>
        ) : (
          <ul className="listing-rows">
            <ListingRow card={asked.card} />
          </ul>
        ))}
    </TitledPanel>
  )
}

const nameOf = (animal: Animal) => (animal.availability === 'gone' ? animal.category : animal.card.name)

/** A listing that is not public shows only its category and old price. */
function Gone({ animal: { category, priceThen } }: { animal: Extract<Animal, { availability: 'gone' }> }) {
  return (
    <div className="panel flex-1 space-y-2 p-4">
      <h3 className="text-base font-semibold">{category}</h3>
      <p className="text-stone">{m.saved_price_then({ price: formatRupees(priceThen) })}</p>
      <p className="failure">{m.saved_state_gone()}</p>
    </div>
  )
}

const stateTexts = { sold: m.saved_state_sold, closed: m.saved_state_closed }

/** The price then and now, or that the animal is no longer available. */
function SinceThen({ animal: { priceThen, priceNow, availability } }: { animal: Exclude<Animal, { availability: 'gone' }> }) {
  if (availability !== 'available') return <p className="failure">{stateTexts[availability]()}</p>
  const before = formatRupees(priceThen)
  if (priceNow < priceThen)
    return <p className="done text-leaf">{m.saved_price_less({ before, less: formatRupees(priceThen - priceNow) })}</p>
  return (
    <p className="px-1 text-sm text-stone">
      {priceNow === priceThen ? m.saved_price_same() : m.saved_price_more({ before, more: formatRupees(priceNow - priceThen) })}
    </p>
  )
}

const alertTexts = { saved: m.saved_alert_saved, wanted: m.saved_alert_wanted }

function Switches({ page }: { page: ListPage }) {
  return (
    <section id="alerts" aria-labelledby="alerts-title" className="space-y-3">
      <h2 id="alerts-title" className="text-xl">
        {m.saved_alerts()}
      </h2>
      <ul className="panel divide-y divide-line">
        {(['saved', 'wanted'] as const).map((kind) => {
          const isOn = page.switches[kind]
          return (
            <li key={kind} className="row justify-between gap-2 px-4 py-2">
              <p id={`alert-${kind}`}>
                {alertTexts[kind]()} <b className={isOn ? 'chip-good' : 'chip-bad'}>{isOn ? m.saved_alert_on() : m.saved_alert_off()}</b>
              </p>
              <Act act="switch">
                <HiddenFields kind={kind} on={isOn ? '0' : '1'} />
                <button type="submit" aria-describedby={`alert-${kind}`} className="button-plain px-3">
                  {isOn ? m.saved_alert_switch_off() : m.saved_alert_switch_on()}
                </button>
              </Act>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
