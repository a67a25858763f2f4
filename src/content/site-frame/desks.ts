import { can } from '#src/accounts/policy.ts'
import type { Viewer } from '#src/kit/context.ts'
import type { DeskTargets } from '#src/kit/settings.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'

/** A desk with a queue. */
export type DeskId = keyof DeskTargets
/** Entries of the rail with a count: the office's desks, and the vets'. */
export type RailId = DeskId | 'checks'

export interface Desk {
  path: string
  label: string
}

type Message = (inputs: object, options?: { locale: Locale }) => string

interface DeskPlace {
  path: string
  /** The name in the office, where every entry is a desk. */
  name: Message
  label: Message
}

/** In the order of the rail. */
const waitingDesks: Record<DeskId, DeskPlace> = {
  listings: { path: '/admin/verification', name: m.desk_listings, label: m.menu_verification },
  secondLooks: { path: '/admin/second-looks', name: m.second_look_title, label: m.second_look_title },
  proofs: { path: '/admin/proofs', name: m.proof_desk_title, label: m.proof_desk_title },
  orders: { path: '/orders', name: m.desk_orders, label: m.menu_all_orders },
  money: { path: '/admin/money', name: m.money_desk, label: m.money_desk },
  enquiries: { path: '/admin/enquiries', name: m.desk_enquiries, label: m.desk_enquiries },
  people: { path: '/admin/users', name: m.menu_users, label: m.menu_users },
  reports: { path: '/admin/reports', name: m.reports_title, label: m.reports_title },
  forum: { path: '/admin/forum', name: m.frame_forum, label: m.forum_desk_title },
  tickets: { path: '/admin/tickets', name: m.ticket_queue, label: m.ticket_queue },
}
const otherDesks: [path: string, label: Message][] = [
  ['/admin/reviews', m.review_desk_title],
  ['/admin/messages', m.message_desk_title],
  ['/admin/places', m.places_title],
  ['/admin/front', m.showcase_title],
  ['/admin/newsletter', m.newsletter_desk_title],
  ['/admin/page-views', m.page_views_title],
  ['/admin/audit', m.trail_title],
  ['/admin/settings', m.settings_title],
]

export const deskName = (id: DeskId): string => waitingDesks[id].name({})
export const deskPath = (id: DeskId): string => waitingDesks[id].path

/** The rail of the office, or of a vet's desk. `id` is set when the desk has a queue. */
export function railOf(viewer: Viewer): (Desk & { id?: RailId })[] {
  if (!can(viewer, 'operate')) return can(viewer, 'be-vet') ? [{ path: '/vet-verify', label: m.menu_checkup(), id: 'checks' }] : []
  return [
    { path: '/admin', label: m.desk_today() },
    ...Object.entries(waitingDesks).map(([id, { path, name }]) => ({ id: id as DeskId, path, label: name({}) })),
    { path: '/vet-verify', label: m.desk_vets(), id: 'checks' },
    ...otherDesks.map(([path, label]) => ({ path, label: label({}) })),
  ]
}

/**
 * The desks of vets and admins for the menu and the page "My page"; empty for anybody else. On the server only, to keep these texts out of
 * browser bundles.
 */
export function desksOf(viewer: Viewer, locale: Locale): Desk[] {
  if (can(viewer, 'be-vet')) return [{ path: '/vet-verify', label: m.menu_checkup({}, { locale }) }]
  if (!can(viewer, 'operate')) return []
  const desks: [string, Message][] = [
    ['/admin', m.desk_today],
    ...Object.values(waitingDesks).map(({ path, label }): [string, Message] => [path, label]),
    ...otherDesks,
  ]
  return desks.filter(([path]) => path.startsWith('/admin')).map(([path, label]) => ({ path, label: label({}, { locale }) }))
}

/** People who do not buy have no orders (specification B §2): an admin gets everybody's orders instead, a seller their listings. */
export function insteadOfOrders(viewer: Viewer, locale: Locale): Desk | null {
  if (can(viewer, 'operate')) return { path: '/orders', label: m.menu_all_orders({}, { locale }) }
  return can(viewer, 'buy') ? null : { path: '/seller-product', label: m.menu_listed({}, { locale }) }
}
