import type { ComponentProps, ReactNode } from 'react'
import { Form } from 'react-router'
import { Icon } from './icon.tsx'
import { Input } from './input.tsx'
import { Select } from './select.tsx'

interface FilterProps {
  action: string
  /** Names the search field. */
  label: string
  find: string
  text: string
  /** The other filters. */
  children: ReactNode
}

/** Search and filters in one row. A changed filter applies at once; Enter and the button work without scripts. */
export const DeskFilter = ({ action, label, find, text, children }: FilterProps) => (
  <Form
    method="get"
    action={action}
    preventScrollReset
    onChange={({ currentTarget, target }) => isWhole(target) && currentTarget.requestSubmit()}
    className="row relative min-w-0 flex-1 basis-full gap-2 md:basis-96 md:flex-nowrap"
  >
    <div className="flex min-w-0 flex-1 basis-full items-center md:basis-40">
      <Input id="desk-search" name="q" type="search" aria-label={label} placeholder={label} defaultValue={text} maxLength={80} />
      <button type="submit" aria-label={find} className="icon-button shrink-0 text-leaf hover:bg-leaf-soft">
        <Icon name="search" size={22} />
      </button>
    </div>
    {children}
  </Form>
)

interface SelectProps extends ComponentProps<'select'> {
  label: string
  none: string
  options: readonly { id: number | string; name: string }[]
}

export const FilterSelect = ({ label, none, options, ...select }: SelectProps) => (
  <Select {...select} aria-label={label} className="min-w-0 flex-1 md:max-w-72">
    <option value="">{none}</option>
    {options.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </Select>
)

/** A text is whole after Enter. The year of a date is not while somebody types it: 0002, 0020, 0202. */
const isWhole = (field: EventTarget) =>
  !(field instanceof HTMLInputElement) ||
  (field.type !== 'search' && (field.type !== 'date' || field.value === '' || field.value >= '2000'))
