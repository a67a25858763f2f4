import { useState, type ComponentProps, type ReactNode } from 'react'
import { Form, useLocation, useNavigationType } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { Icon } from './icon.tsx'
import { Input } from './input.tsx'
import { useLocalPath } from './language.ts'
import { HiddenFields } from './post-form.tsx'
import { Select } from './select.tsx'

interface FilterProps {
  action: string
  /** Names the search field. */
  label: string
  find: string
  text: string
  /** The other filters. */
  children?: ReactNode
}

/** Search and filters in one row. Enter and the button work without scripts. */
export const DeskFilter = ({ action, label, find, text, children }: FilterProps) => (
  <FilterForm action={action} className="row relative min-w-0 flex-1 basis-full gap-2 md:basis-96 md:flex-nowrap">
    <div className="flex min-w-0 flex-1 basis-full items-center md:basis-40">
      <Input id="desk-search" name="q" type="search" aria-label={label} placeholder={label} defaultValue={text} maxLength={80} />
      <button type="submit" aria-label={find} className="icon-button shrink-0 text-leaf hover:bg-leaf-soft">
        <Icon name="search" size={22} />
      </button>
    </div>
    {children}
  </FilterForm>
)

interface HeadProps {
  title: string
  path: string
  text: string
  /** The label of the search field, if a desk has its own. */
  label?: string
  /** The other choices in the URL, which a search keeps. */
  choices?: Record<string, string | undefined>
}

/** A desk's heading, and beside it the search in its table. */
export const SearchHead = ({ title, path, text, label = m.desk_search(), choices = {} }: HeadProps) => (
  <div className="row gap-x-4 gap-y-2">
    <h1 className="text-2xl md:text-xl">{title}</h1>
    <DeskFilter action={useLocalPath()(path)} label={label} find={m.users_find()} text={text}>
      <HiddenFields {...choices} />
    </DeskFilter>
  </div>
)

/** A changed filter applies at once, a typed one when it is left. Only pages without scripts need a button. */
export function FilterForm(form: ComponentProps<typeof Form>) {
  const { key } = useLocation()
  const type = useNavigationType()
  const [shown, setShown] = useState({ key, form: 0 })
  // After Back and Forward, the fields show the filters of that page.
  if (shown.key !== key) setShown({ key, form: shown.form + (type === 'POP' ? 1 : 0) })
  return (
    <Form
      key={shown.form}
      method="get"
      preventScrollReset
      onChange={({ currentTarget, target }) => isWhole(target) && currentTarget.requestSubmit()}
      onBlur={({ currentTarget, target }) => isRetyped(target) && currentTarget.requestSubmit()}
      {...form}
    />
  )
}

interface SelectProps extends ComponentProps<'select'> {
  label: string
  /** The option without a choice; the label is the usual one. */
  none?: string
  options: readonly { id: number | string; name: string }[]
}

export const FilterSelect = ({ label, none = label, options, ...select }: SelectProps) => (
  <Select className="min-w-0 flex-1 md:max-w-72" {...select} aria-label={label}>
    <option value="">{none}</option>
    {options.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </Select>
)

const isRetyped = (field: EventTarget) => field instanceof HTMLInputElement && field.type === 'text' && field.value !== field.defaultValue

/** A text is whole after Enter. The year of a date is not while somebody types it: 0002, 0020, 0202. */
const isWhole = (field: EventTarget) =>
  !(field instanceof HTMLInputElement) ||
  (!['search', 'text'].includes(field.type) && (field.type !== 'date' || field.value === '' || field.value >= '2000'))
