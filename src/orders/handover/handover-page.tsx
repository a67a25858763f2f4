import { redirect } from 'react-router'
import { z } from 'zod'
import { requireViewer } from '#src/accounts/page-guards.server.ts'
import { can } from '#src/accounts/policy.ts'
import { afterRefusalToo, keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { localized } from '#src/kit/text/locale.ts'
import { bytesOf, formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { idIn } from '#src/kit/ids.ts'
import { m } from '#src/paraglide/messages.js'
import { Picture } from '#src/ui/picture.tsx'
import { useLocalPath } from '#src/ui/language.ts'
import { closeOnce } from '#src/orders/steps/closing.server.ts'
import { adminClosing, closing, reasonText, tagEnd } from '#src/orders/steps/handover-schemas.server.ts'
import { acceptAnimal, checkTag, refuseAnimal } from '#src/orders/steps/handover.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { REFUSED } from '../process.server.ts'
import { ignoreDuplicateSubmit } from '../ignore-duplicate-submit.server.ts'
import { HandoverBearer } from './handover-bearer.tsx'
import { handoverLater } from './handover-later.ts'
import { HandoverBuyer } from './handover-buyer.tsx'
import { readHandover, type HandoverDone, type HandoverData } from './handover-view.server.ts'
import type { Route } from './+types/handover-page'

export const loader = formLoader((ctx, { params, url, site }) =>
  readHandover(ctx, requireViewer(ctx, url), idIn(params.orderId), site.contact.phone),
)

export const action = pageAction('handover', async (ctx, { params, form, site }): Promise<HandoverDone> => {
  const id = idIn(params.orderId)
  const act = textOf(form, 'act')
  switch (act) {
    case 'tag': {
      const { digits } = parseInput(z.object({ digits: tagEnd }), { digits: textOf(form, 'digits') })
      return { kind: 'tag', matched: await checkTag(ctx, id, digits) }
    }
    case 'accept':
      return { kind: 'accepted', code: await acceptAnimal(ctx, id) }
    case 'refuse': {
      const { reason } = parseInput(z.object({ reason: reasonText }), { reason: textOf(form, 'reason') })
      const photo = await bytesOf(form, 'photo')
      await ignoreDuplicateSubmit(ctx, id, REFUSED, () => refuseAnimal(ctx, site.media, id, { reason, photo }))
      throw redirect(localized('/orders?done=refused', ctx.locale) + `#o${id}`)
    }
    case 'close': {
      const typed = Object.fromEntries(form)
      const input = can(ctx.viewer, 'operate') ? parseInput(adminClosing, typed) : parseInput(closing, typed)
      await closeOnce(ctx, id, input)
      throw redirect(localized(`/orders/${id}/handover`, ctx.locale))
    }
    default:
      throw new Problem('MALFORMED')
  }
})

/** Farms have poor coverage: offline, the typed text stays, and a handover waits on the phone (decision 0106). */
export const clientAction = (args: Route.ClientActionArgs) =>
  keepWhenOffline(args, (form) => (form.get('act') === 'close' ? handoverLater(form, args.params.orderId) : null))

export const shouldRevalidate = afterRefusalToo

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  title: `${titleOf(page)} ${page.order.orderNo}`,
  description: m.handover_look_same(),
}))

/** Buyers read "It has come" only while the order is on the way. */
function titleOf({ part, isOnTheWay, order }: HandoverData): string {
  if (part !== 'buyer') return m.handover_title_bearer()
  if (!isOnTheWay) return m.handover_title_order()
  return order.isAnimal ? m.handover_title() : m.handover_title_thing()
}

export default function HandoverPage({ loaderData: page, actionData }: Route.ComponentProps) {
  const to = useLocalPath()
  const { order, part } = page
  // The photo is for comparing. After acceptance the digits take its place.
  const showsPhoto = part === 'buyer' && page.isOnTheWay && actionData?.done?.kind !== 'accepted'
  return (
    <div className="page-column max-w-xl">
      <a href={to(`/orders#o${order.id}`)} className="tap-link font-semibold">
        {m.handover_back()}
      </a>
      <h1 className="text-2xl">{titleOf(page)}</h1>
      <div className="panel overflow-hidden">
        {showsPhoto && order.photoKey && (
          <Picture
            mediaKey={order.photoKey}
            alt={order.name}
            sizes="(min-width: 36rem) 36rem, 100vw"
            width={640}
            height={480}
            isFirst
            className="aspect-[4/3] w-full object-cover"
          />
        )}
        <p className="p-4 wrap-anywhere">
          <b className="text-lg">{order.count === 1 ? order.name : `${order.name}\u00a0×\u00a0${order.count}`}</b>
          <br />
          <span className="text-stone">
            {order.code} · {order.orderNo}
          </span>
          <br />
          {order.statusName}
          {order.when && ` · ${order.when}`}
        </p>
      </div>
      {part === 'buyer' ? (
        <HandoverBuyer page={page} done={actionData?.done} refused={actionData?.refused} />
      ) : (
        <HandoverBearer page={page} refused={actionData?.refused} />
      )}
    </div>
  )
}
