import { can } from '#src/accounts/policy.ts'
import type { Viewer } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'

export interface Desk {
  path: string
  label: string
}

/** The desks of vets and admins; nothing for anybody else. On the server, so that these words are in no page's code. */
export function desksOf(viewer: Viewer, locale: Locale): Desk[] {
  const desks: [boolean, string, (inputs: object, options: { locale: Locale }) => string][] = [
    [viewer.typeId === 5, '/vet-verify', m.menu_checkup],
    [can(viewer, 'operate'), '/admin/verification', m.menu_verification],
    [can(viewer, 'operate'), '/admin/reports', m.reports_title],
    [can(viewer, 'operate'), '/admin/forum', m.forum_desk_title],
    [can(viewer, 'operate'), '/admin/tickets', m.ticket_queue],
    [can(viewer, 'operate'), '/admin/users', m.menu_users],
    [can(viewer, 'operate'), '/admin/page-views', m.page_views_title],
    [can(viewer, 'operate'), '/admin/settings', m.settings_title],
  ]
  return desks.flatMap(([isHis, path, label]) => (isHis ? [{ path, label: label({}, { locale }) }] : []))
}

/** People who do not buy have no orders (specification B §2): an admin gets everybody's orders instead, a seller their listings. */
export function insteadOfOrders(viewer: Viewer, locale: Locale): Desk | null {
  if (can(viewer, 'operate')) return { path: '/orders', label: m.menu_all_orders({}, { locale }) }
  return can(viewer, 'buy') ? null : { path: '/seller-product', label: m.menu_listed({}, { locale }) }
}
