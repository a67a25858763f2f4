import type { ComponentProps } from 'react'
import { Form, useMatches } from 'react-router'

/** A form that a page's action answers, with the token of the page. With `reloadDocument` the browser sends it, and the answer is a new document. */
export const PostForm = ({ children, ...props }: Omit<ComponentProps<typeof Form>, 'method'>) => (
  <Form method="post" {...props}>
    <CsrfField />
    {children}
  </Form>
)

/** The token that the page's `formLoader` made. Without one the field is empty, and the server refuses the form. */
export function CsrfField() {
  const page = useMatches().find(({ loaderData }) => loaderData instanceof Object && 'csrf' in loaderData)
  return <input type="hidden" name="csrf" value={(page?.loaderData as { csrf: string } | undefined)?.csrf} />
}
