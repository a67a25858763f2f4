import { districts } from '#src/accounts/reference-data.ts'
import { marketTowns, tamilNames } from '#src/addresses/town-names.ts'
import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'
import { localeOfPath } from '#src/kit/text/locale.ts'
import { breeds } from '#src/listings/reference/breeds-data.ts'
import { categories } from '#src/listings/reference/reference-data.ts'
import { m } from '#src/paraglide/messages.js'
import { storeValue, valueOnDevice } from '#src/kit/device/storage.ts'

interface Suggestion {
  text: string
  field: 'q' | 'near'
  names: string[]
}

const SHOWN = 6
const KEY = `${OWN_ON_DEVICE}searches`
const MAX_REMEMBERED = 5

/** Districts and market towns. A town with the name of its district appears once. */
const places = [
  ...districts.map(({ en, ta }) => ({ en, ta, also: marketTowns.find(({ name }) => name === en)?.also ?? '' })),
  ...marketTowns
    .filter(({ name }) => !districts.some(({ en }) => en === name))
    .map(({ name, ta, also = '' }) => ({ en: name, ta: ta ?? tamilNames[name] ?? name, also })),
]

/** Suggests species, breeds and places by all spellings in both scripts. */
export function suggestionsFor(typed: string, locale: 'ta' | 'en', searched: readonly string[] = []): Suggestion[] {
  const prefix = typed.trim().toLowerCase()
  const own = searched.map((text): Suggestion => ({ text, field: 'q', names: [text] }))
  if (prefix === '') return own
  const all: Suggestion[] = [
    ...own,
    ...categories.map((each): Suggestion => ({ text: each[locale], field: 'q', names: [each.en, each.ta, each.shortEn, each.shortTa] })),
    ...breeds.map((each): Suggestion => ({ text: each[locale], field: 'q', names: [each.en, each.ta, ...each.aliases] })),
    ...places.map((each): Suggestion => ({ text: each[locale], field: 'near', names: [each.en, each.ta, ...each.also.split(' ')] })),
  ]
  const begins = (name: string) => ` ${name.toLowerCase()}`.includes(` ${prefix}`)
  const found = all.filter(({ names }) => names.some(begins))
  return found
    .filter(({ text, field }, at) => found.findIndex((other) => other.text === text && other.field === field) === at)
    .slice(0, SHOWN)
}

function searched(): string[] {
  const texts = valueOnDevice(KEY)
  return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : []
}

function remember(text: string): void {
  if (text.trim() === '') return
  storeValue(KEY, [text, ...searched().filter((other) => other !== text)].slice(0, MAX_REMEMBERED))
}

/** Turns the search box into a combobox: the arrow keys choose, Enter or a tap searches, Esc closes the list. */
export function suggest(box: HTMLInputElement): void {
  const form = box.form!
  const list = Object.assign(document.createElement('ul'), { id: 'suggestions', role: 'listbox', hidden: true, className: 'suggestions' })
  // The list needs another name than the box, so it uses the box's examples.
  list.ariaLabel = box.placeholder
  form.append(list)
  box.role = 'combobox'
  box.autocomplete = 'off'
  box.setAttribute('aria-autocomplete', 'list')
  box.setAttribute('aria-controls', list.id)
  let shown: Suggestion[] = []
  let active = -1

  const draw = () => {
    list.hidden = shown.length === 0
    box.ariaExpanded = String(!list.hidden)
    for (const [at, option] of [...list.children].entries()) option.ariaSelected = String(at === active)
    if (active < 0) box.removeAttribute('aria-activedescendant')
    else box.setAttribute('aria-activedescendant', list.children[active]!.id)
  }
  const offer = (suggestions: Suggestion[]) => {
    shown = suggestions
    active = -1
    list.replaceChildren(...shown.map(optionOf))
    draw()
  }
  const update = () => offer(suggestionsFor(box.value, localeOfPath(location.pathname), searched()))
  const choose = ({ text, field }: Suggestion) => {
    const place = form.elements.namedItem('near')
    if (field === 'near' && place instanceof HTMLInputElement) {
      place.value = text
      box.value = ''
    } else box.value = text
    offer([])
    form.requestSubmit()
  }
  box.addEventListener('input', update)
  box.addEventListener('focus', update)
  box.addEventListener('blur', () => offer([]))
  box.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' && !list.hidden) offer([])
    else if (event.key === 'Enter' && active >= 0) choose(shown[active]!)
    else if (step && shown.length > 0) {
      // Cycle through all options and the box itself.
      active = ((active + 1 + step + shown.length + 1) % (shown.length + 1)) - 1
      draw()
    } else return
    event.preventDefault()
  })
  // Runs before the box loses the focus.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const at = [...list.children].findIndex((option) => option.contains(target as Node))
    if (at >= 0) choose(shown[at]!)
  })
  form.addEventListener('submit', () => remember(box.value))
  if (document.activeElement === box) update()
}

/** Kangayam is a breed and a town, so a place is marked as one. */
const optionOf = ({ text, field }: Suggestion, at: number) =>
  Object.assign(document.createElement('li'), {
    id: `suggestion-${at}`,
    role: 'option',
    textContent: field === 'near' ? m.list_suggest_near({ place: text }) : text,
  })
