import { districts } from '#src/accounts/reference-data.ts'
import { marketTowns, tamilNames } from '#src/addresses/town-names.ts'
import { OWN_ON_DEVICE } from '#src/kit/device/own-on-device.ts'
import { localeOfPath } from '#src/kit/text/locale.ts'
import { breeds } from '#src/listings/breeds-data.ts'
import { categories } from '#src/listings/reference-data.ts'
import { m } from '#src/paraglide/messages.js'

/** What one may have begun to type. */
export interface Suggestion {
  text: string
  /** The field of the form that it fills. */
  field: 'q' | 'near'
  names: string[]
}

const SHOWN = 6
const KEY = `${OWN_ON_DEVICE}searches`
const MAX_REMEMBERED = 5

/** Districts and market towns: a town that gives its district the name stands once. */
const places = [
  ...districts.map(({ en, ta }) => ({ en, ta, also: marketTowns.find(({ name }) => name === en)?.also ?? '' })),
  ...marketTowns
    .filter(({ name }) => !districts.some(({ en }) => en === name))
    .map(({ name, ta, also = '' }) => ({ en: name, ta: ta ?? tamilNames[name] ?? name, also })),
]

/** Species, breeds and places with their other spellings, in both scripts. */
export function suggestionsFor(typed: string, locale: 'ta' | 'en', searched: readonly string[] = []): Suggestion[] {
  const begun = typed.trim().toLowerCase()
  const own = searched.map((text): Suggestion => ({ text, field: 'q', names: [text] }))
  if (begun === '') return own
  const all: Suggestion[] = [
    ...own,
    ...categories.map((each): Suggestion => ({ text: each[locale], field: 'q', names: [each.en, each.ta, each.shortEn, each.shortTa] })),
    ...breeds.map((each): Suggestion => ({ text: each[locale], field: 'q', names: [each.en, each.ta, ...each.aliases] })),
    ...places.map((each): Suggestion => ({ text: each[locale], field: 'near', names: [each.en, each.ta, ...each.also.split(' ')] })),
  ]
  const begins = (name: string) => ` ${name.toLowerCase()}`.includes(` ${begun}`)
  const found = all.filter(({ names }) => names.some(begins))
  return found
    .filter(({ text, field }, at) => found.findIndex((other) => other.text === text && other.field === field) === at)
    .slice(0, SHOWN)
}

const searched = (): string[] => {
  try {
    const texts: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(texts) ? texts.filter((text) => typeof text === 'string') : []
  } catch {
    return []
  }
}

function remember(text: string): void {
  if (text.trim() === '') return
  try {
    localStorage.setItem(KEY, JSON.stringify([text, ...searched().filter((other) => other !== text)].slice(0, MAX_REMEMBERED)))
  } catch {
    // A browser that keeps nothing suggests none of one's own.
  }
}

/** Makes the search box a combobox: the arrow keys choose, Enter or a tap searches, Esc closes the list. */
export function suggest(box: HTMLInputElement): void {
  const form = box.form!
  const list = Object.assign(document.createElement('ul'), { id: 'suggestions', role: 'listbox', hidden: true, className: 'suggestions' })
  // Another name than the box's, or a reader meets two of one name: its examples.
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
  const look = () => offer(suggestionsFor(box.value, localeOfPath(location.pathname), searched()))
  const choose = ({ text, field }: Suggestion) => {
    const place = form.elements.namedItem('near')
    if (field === 'near' && place instanceof HTMLInputElement) {
      place.value = text
      box.value = ''
    } else box.value = text
    offer([])
    form.requestSubmit()
  }
  box.addEventListener('input', look)
  box.addEventListener('focus', look)
  box.addEventListener('blur', () => offer([]))
  box.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (event.key === 'Escape' && !list.hidden) offer([])
    else if (event.key === 'Enter' && active >= 0) choose(shown[active]!)
    else if (step && shown.length > 0) {
      // Once round, past the box itself.
      active = ((active + 1 + step + shown.length + 1) % (shown.length + 1)) - 1
      draw()
    } else return
    event.preventDefault()
  })
  // Before the box loses the focus.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const at = [...list.children].findIndex((option) => option.contains(target as Node))
    if (at >= 0) choose(shown[at]!)
  })
  form.addEventListener('submit', () => remember(box.value))
  if (document.activeElement === box) look()
}

/** Kangayam is a breed and a town: a place says that it is one. */
const optionOf = ({ text, field }: Suggestion, at: number) =>
  Object.assign(document.createElement('li'), {
    id: `suggestion-${at}`,
    role: 'option',
    textContent: field === 'near' ? m.list_suggest_near({ place: text }) : text,
  })
