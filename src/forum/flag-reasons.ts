import { m } from '#src/paraglide/messages.js'
import type { FlagReason } from './schemas.ts'

/** In the order of the form. */
export const flagTexts: Record<FlagReason, () => string> = {
  hate: m.forum_flag_hate,
  explicit: m.forum_flag_explicit,
  harassment: m.forum_flag_harassment,
  fraud: m.forum_flag_fraud,
  advertising: m.forum_flag_advertising,
  other: m.forum_flag_other,
}
