import { orderNumber } from '#src/orders/rules.ts'

export const pageOfOrder = (id: number) => `/orders?q=${orderNumber(id)}`

/** The numbers that papers and desks write, with or without letters and zeros. Five digits with a leading zero are an animal's. */
const forms: [form: RegExp, page: (id: number) => string][] = [
  [/^su-?(\d{1,9})$/i, (id) => `/admin/tickets?ticket=${id}`],
  [/^#(\d{1,9})$/, (id) => `/admin/users/${id}`],
  [/^(0\d{4})$/, (id) => `/product/${id}?tab=verification`],
  [/^(?:sn-?|(?=0))(\d{1,9})$/i, pageOfOrder],
]

/** Numbers that are an order's if there is such an order; otherwise a person's, an animal's or a PIN code. */
export const bareNumber = (text: string): number | null => (/^[1-9]\d{0,6}$/.test(text) ? Number(text) : null)

/** The page that has what this number belongs to; null for a text that is no number of ours. */
export function pageOfNumber(text: string): string | null {
  for (const [form, page] of forms) {
    const id = Number(form.exec(text)?.[1])
    if (id > 0) return page(id)
  }
  return null
}
