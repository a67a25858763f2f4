/**
 * The purposes of the vault and how each rotates when PEPPER changes (decision 0078). The vault accepts no other purpose, so a new one must state its
 * rotation here.
 * `stored`: the database holds it, and a background job seals it again (listed in resealing.server.ts). `carried`: a form or a URL holds it, and the
 * vault opens it with its original key for as long as it lives.
 */
export const sealedPurposes = {
  pan: 'stored',
  totp: 'stored',
  'ear-tag': 'stored',
  handover: 'stored',
  'owner-phone': 'stored',
  outbox: 'stored',
  payee: 'stored',
  'phone-change': 'carried',
  'ticket-sent': 'carried',
  'forum-form': 'carried',
  'vault-key': 'carried',
} as const satisfies Record<string, 'stored' | 'carried'>

/**
 * Keyed hashes.
 * `made anew`: the value is known, so the job computes a new hash from it.
 * `looked up`: the value is unknown; a look-up tries the hash under every key.
 * `of its time`: always uses the key that was newest at a time stored beside it, so it never changes.
 * `of half a year ago`: counts continue across a change (otp-limits.server.ts).
 * `named`: the hashed object names its key.
 * `checked`: verifies that PEPPER is the right one.
 * `passing`: nobody compares it after minutes.
 */
const hashedPurposes = {
  'ear-tag': 'made anew',
  'owner-phone': 'made anew',
  'owner-code': 'looked up',
  otp: 'looked up',
  'recovery-code': 'looked up',
  'erased-phone': 'looked up',
  'run-link': 'looked up',
  'push-shown': 'looked up',
  'push-stop': 'looked up',
  'push-topic': 'passing',
  'desk-token': 'passing',
  vapid: 'of its time',
  'invoice-check': 'of its time',
  'invoice-check-id': 'of its time',
  'fetch-code': 'of its time',
  'loaded-code': 'of its time',
  phone: 'of half a year ago',
  address: 'of half a year ago',
  device: 'of half a year ago',
  browser: 'of half a year ago',
  audit: 'named',
  canary: 'checked',
  'backup-pepper': 'checked',
  'backup-manifest': 'checked',
} as const satisfies Record<string, 'made anew' | 'looked up' | 'of its time' | 'of half a year ago' | 'named' | 'checked' | 'passing'>

export type SealedPurpose = keyof typeof sealedPurposes
export type HashedPurpose = keyof typeof hashedPurposes
