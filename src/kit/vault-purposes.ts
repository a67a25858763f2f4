/**
 * What the vault is used for, and what becomes of it when PEPPER changes (decision 0078). The vault takes no other purpose, so whoever adds one
 * says here how it rotates.
 *
 * `stored`: stands in the database and is sealed anew in the background (resealing.server.ts has its place). `carried`: stands in a form or
 * an address, and is opened with the key that sealed it for as long as it lives.
 */
export const sealedPurposes = {
  pan: 'stored',
  totp: 'stored',
  'ear-tag': 'stored',
  handover: 'stored',
  outbox: 'stored',
  'phone-change': 'carried',
  'ticket-sent': 'carried',
  'forum-form': 'carried',
  'vault-key': 'carried',
} as const satisfies Record<string, 'stored' | 'carried'>

/**
 * Keyed hashes. `made anew`: the value is known, so the hash is made anew beside it. `looked up`: the value is not known; a look-up asks for
 * the hash under every key. `of its time`: always the key that was the newest at a moment that is stored beside it, so it stays as it is.
 * `of half a year ago`: counts go on over a change (otp-limits.server.ts). `named`: what is hashed says with which key. `checked`: says
 * whether PEPPER is the right one. `passing`: nobody compares it after minutes.
 */
export const hashedPurposes = {
  'ear-tag': 'made anew',
  otp: 'looked up',
  'recovery-code': 'looked up',
  'erased-phone': 'looked up',
  'run-link': 'looked up',
  'push-shown': 'looked up',
  'push-stop': 'looked up',
  'push-topic': 'passing',
  vapid: 'of its time',
  'invoice-check': 'of its time',
  'invoice-check-id': 'of its time',
  'fetch-code': 'of its time',
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
