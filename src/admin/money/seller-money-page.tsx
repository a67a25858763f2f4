import { redirect } from 'react-router'
import { z } from 'zod'
import { anyPassword } from '#src/accounts/schemas.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { settledDay, settledMethod, settledReference, settlementNote, typedAmount } from '#src/invoices/schemas.server.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { idIn } from '#src/kit/ids.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { parseInput } from '#src/kit/parse-input.ts'
import { SellerMoneyView } from './seller-money.tsx'
import { settleSales, takeSaleBack } from './settle.server.ts'
import { readSellerMoney } from './seller-money-view.server.ts'
import type { Route } from './+types/seller-money-page'

export const loader = formLoader(readSellerMoney)

const typedPassword = anyPassword.or(z.literal('').transform(() => undefined))
const payment = z.object({
  method: settledMethod,
  reference: settledReference,
  day: settledDay,
  note: settlementNote,
  password: typedPassword,
})
const back = z.object({
  password: typedPassword,
  seen: z.coerce.number().int('field_wrong'),
  note: settlementNote.refine((text) => text !== '', 'field_settle_note'),
})

export const action = pageAction('seller-money', async (ctx, { form, params }): Promise<never> => {
  const sellerId = idIn(params.sellerId)
  const act = textOf(form, 'act')
  if (act === 'settle') {
    const { day, ...paid } = parseInput(payment, Object.fromEntries(form))
    await settleSales(ctx, sellerId, { ...paid, paidOn: day, sales: chosenIn(form) })
  } else if (act === 'back') await takeSaleBack(ctx, sellerId, idIn(textOf(form, 'id')), parseInput(back, Object.fromEntries(form)))
  else throw new Problem('MALFORMED')
  throw redirect(localized(`/admin/money/${sellerId}?done=${act === 'settle' ? 'settled' : 'back'}`, ctx.locale))
})

/** The ticked sales, each with its amount and the last entry that the admin saw. */
function chosenIn(form: FormData) {
  const names = [...form.keys()].filter((name) => name.startsWith('sale-'))
  return names.map((name) => {
    const orderId = idIn(name.slice('sale-'.length))
    const shape = z.object({ [`amount-${orderId}`]: typedAmount, [`seen-${orderId}`]: z.coerce.number().int('field_wrong') })
    const typed = parseInput(shape, Object.fromEntries(form)) as Record<string, bigint | number>
    return { orderId, field: `amount-${orderId}`, amount: typed[`amount-${orderId}`] as bigint, seen: typed[`seen-${orderId}`] as number }
  })
}

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  title: m.money_seller_title({ name: page.name }),
  description: m.money_seller_lead(),
}))

export default function SellerMoneyPage({ loaderData, actionData }: Route.ComponentProps) {
  return <SellerMoneyView {...loaderData} refused={actionData?.refused} />
}
