import { m } from '#src/paraglide/messages.js'

/** Acts on several people at once. All of them can be undone (screens.md, "Users"). */
export const bulkActs = ['deactivate', 'activate', 'approve-vets'] as const
export type BulkAct = (typeof bulkActs)[number]

export const bulkActTexts: Record<BulkAct, () => string> = {
  deactivate: m.users_deactivate,
  activate: m.users_activate,
  'approve-vets': m.users_vet_approve,
}

/** Reasons of an act. The admin chooses one instead of writing, because the audit trail stores no free text (kit/records/audit.server.ts). */
const bulkReasons = ['fraud', 'spam', 'duplicate', 'rules', 'asked', 'mistake', 'settled', 'register'] as const
export type BulkReason = (typeof bulkReasons)[number]

export const reasonsOf: Record<BulkAct, readonly BulkReason[]> = {
  deactivate: ['fraud', 'spam', 'duplicate', 'rules', 'asked'],
  activate: ['mistake', 'settled', 'asked'],
  'approve-vets': ['register'],
}

export const bulkReasonTexts: Record<BulkReason, () => string> = {
  fraud: m.users_reason_fraud,
  spam: m.users_reason_spam,
  duplicate: m.users_reason_duplicate,
  rules: m.users_reason_rules,
  asked: m.users_reason_asked,
  mistake: m.users_reason_mistake,
  settled: m.users_reason_settled,
  register: m.users_reason_register,
}
