import { Form } from 'react-router'
import { m } from '#src/paraglide/messages.js'
import { Icon } from '#src/ui/icon.tsx'
import { Input } from '#src/ui/input.tsx'
import { useLocalPath } from '#src/ui/language.ts'

interface SearchBoxProps {
  /** The id of its form; the box is always `#search`. */
  id?: string
  text?: string
  /** Of the home page: larger, and with room above it. */
  isLarge?: boolean
  /** Opens the result by script; without it the browser opens its address. */
  onSubmit?: (form: HTMLFormElement) => void
}

/** A search by words. A GET form, so that every search has an address. */
export function SearchBox({ id, text, isLarge, onSubmit }: SearchBoxProps) {
  const to = useLocalPath()
  return (
    <Form
      id={id}
      method="get"
      action={to('/buy/0')}
      role="search"
      className={isLarge ? 'mt-4 flex max-w-2xl gap-2 lg:mt-6' : 'flex gap-2'}
      onSubmit={
        onSubmit &&
        ((event) => {
          event.preventDefault()
          onSubmit(event.currentTarget)
        })
      }
    >
      <label htmlFor="search" className="sr-only">
        {m.frame_search_label()}
      </label>
      <Input
        id="search"
        name="q"
        type="search"
        defaultValue={text}
        maxLength={100}
        placeholder={m.frame_search_hint()}
        className={isLarge ? 'min-h-12 flex-1 lg:min-h-14 lg:text-lg' : 'flex-1'}
      />
      <button type="submit" className={isLarge ? 'button-primary min-h-12 px-4 sm:px-6 lg:min-h-14' : 'button-primary px-4 md:px-6'}>
        <Icon name="search" size={20} />
        <span className="sr-only sm:not-sr-only">{m.frame_search()}</span>
      </button>
    </Form>
  )
}
