import type { ComponentProps } from 'react'
import { Form, useActionData, useMatches } from 'react-router'

/** A form that a page's action answers, with the token of the page. With `reloadDocument` the browser sends it, and the answer is a new document. */
export const PostForm = ({ children, ...props }: Omit<ComponentProps<typeof Form>, 'method'>) => (
  <Form method="post" {...props}>
    <CsrfField />
    {children}
  </Form>
)

/** Renders a hidden field for each property; undefined ones are left out. React would keep a property `key` for itself. */
export const HiddenFields = (fields: Record<string, string | number | undefined> & { key?: never }) =>
  Object.entries(fields).map(([name, value]) => value !== undefined && <input key={name} type="hidden" name={name} value={value} />)

interface Token {
  csrf?: string
}

/**
 * The token that the page's `formLoader` made, or the newer one of a refusal: of the page's form, or `refused` of a
 * form that a fetcher sends. Without one the field is empty, and the server refuses the form.
 */
export function CsrfField({ refused }: { refused?: Token | undefined }) {
  const answer = useActionData<{ refused?: Token }>()
  const page = useMatches().find(({ loaderData }) => loaderData instanceof Object && 'csrf' in loaderData)
  const loaded = page?.loaderData as Token | undefined
  return <input type="hidden" name="csrf" value={(refused ?? answer?.refused)?.csrf ?? loaded?.csrf} />
}
