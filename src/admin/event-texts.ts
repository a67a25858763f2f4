import { AUDIT_EVENTS, type AuditEvent } from '#src/kit/db/audit-events.ts'
import { m } from '#src/paraglide/messages.js'

const texts: Record<AuditEvent, () => string> = {
  animal_given_back: m.trail_event_animal_given_back,
  animal_taken: m.trail_event_animal_taken,
  audit_checked: m.trail_event_audit_checked,
  authn_login_success: m.trail_event_authn_login_success,
  authn_password_change: m.users_event_password,
  enquiry_approved: m.trail_event_enquiry_approved,
  enquiry_closed: m.trail_event_enquiry_closed,
  enquiry_offer_taken_back: m.trail_event_enquiry_offer_taken_back,
  enquiry_refused: m.trail_event_enquiry_refused,
  enquiry_renewed: m.trail_event_enquiry_renewed,
  forum_post_flagged: m.trail_event_forum_post_flagged,
  forum_post_hidden: m.trail_event_forum_post_hidden,
  forum_post_left: m.trail_event_forum_post_left,
  forum_reply_deleted: m.trail_event_forum_reply_deleted,
  forum_reply_posted: m.trail_event_forum_reply_posted,
  forum_thread_deleted: m.trail_event_forum_thread_deleted,
  forum_thread_posted: m.trail_event_forum_thread_posted,
  invoice_settled: m.trail_event_invoice_settled,
  listing_edited: m.trail_event_listing_edited,
  listing_failed: m.trail_event_listing_failed,
  listing_passed: m.trail_event_listing_passed,
  listing_relisted: m.trail_event_listing_relisted,
  listing_sold: m.trail_event_listing_sold,
  listing_withdrawn: m.trail_event_listing_withdrawn,
  order_accepted: m.trail_event_order_accepted,
  order_payment: m.trail_event_order_payment,
  order_placed: m.trail_event_order_placed,
  order_planned: m.trail_event_order_planned,
  order_step: m.trail_event_order_step,
  order_tag_read: m.trail_event_order_tag_read,
  privilege_permissions_changed: m.users_event_rights,
  report_closed: m.trail_event_report_closed,
  report_made: m.trail_event_report_made,
  review_answered: m.trail_event_review_answered,
  second_look_decided: m.trail_event_second_look_decided,
  seller_badge_ended: m.users_event_badge_ended,
  seller_badge_given: m.users_event_badge_given,
  seller_badge_withdrawn: m.users_event_badge_withdrawn,
  seller_reviewed: m.trail_event_seller_reviewed,
  sensitive_create: m.trail_event_sensitive_create,
  sensitive_delete: m.trail_event_sensitive_delete,
  sensitive_read: m.users_event_read,
  sensitive_update: m.trail_event_sensitive_update,
  setting_changed: m.trail_event_setting_changed,
  settlement_corrected: m.trail_event_settlement_corrected,
  ticket_closed: m.trail_event_ticket_closed,
  upload_deleted: m.users_event_picture_removed,
  upload_stored: m.users_event_picture,
  user_activated: m.users_event_activated,
  user_created: m.users_event_created,
  user_data_exported: m.users_event_exported,
  user_deactivated: m.users_event_deactivated,
  user_erased: m.trail_event_user_erased,
  user_phone_changed: m.users_event_phone,
  user_type_decided: m.users_event_decided,
  user_type_requested: m.users_event_requested,
  user_updated: m.users_event_updated,
  vet_approval_changed: m.users_event_vet,
  vet_check_recorded: m.trail_event_vet_check_recorded,
}

export const eventNames = AUDIT_EVENTS

/** An event in words; one of an older release by its name. */
export const eventText = (event: string): string => texts[event as AuditEvent]?.() ?? event

/** Kinds of what an event is about, as `audit` writes them before the colon. */
const kinds: Record<string, () => string> = {
  user: m.trail_kind_user,
  listing: m.trail_kind_listing,
  order: m.trail_kind_order,
  order_group: m.trail_kind_order_group,
  orders: m.trail_kind_orders,
  enquiry: m.trail_kind_enquiry,
  enquiries: m.trail_kind_enquiries,
  thread: m.trail_kind_thread,
  reply: m.trail_kind_reply,
  setting: m.trail_kind_setting,
  address: m.trail_kind_address,
  session: m.trail_kind_session,
  ticket: m.trail_kind_ticket,
  audit: m.trail_kind_audit,
  invoice: m.trail_kind_invoice,
}

/** "listing 12"; of a kind without words as the trail has it. */
export function objectText(object: string): string {
  const [kind = '', id = ''] = object.split(':')
  const name = kinds[kind]?.()
  if (name === undefined) return object
  return /^\d+$/.test(id) ? `${name} ${id}` : name
}
