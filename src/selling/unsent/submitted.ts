import { noteDone } from './waiting-listing.ts'
import { canonical, type Typed } from './draft-fields.ts'
import { readCopy, removeCopy } from './draft-on-device.ts'

// The key and the texts of the form that this window submitted last. A window that forbids its storage knows neither: then the next visit to
// the form removes the copy on the device.
const KEY = 'sell-sending'
const TEXTS = 'sell-sent-texts'

/** Runs just before the submit: the key identifies the copy on the device once its listing is made. */
export function noteSending(typed: Typed): void {
  try {
    sessionStorage.setItem(KEY, typed.key ?? '')
    sessionStorage.setItem(TEXTS, canonical(typed))
  } catch {
    // See above.
  }
}

/** Submitted from this window, and changed since: that is another animal. */
export function isAnotherSince(typed: Typed): boolean {
  try {
    return sessionStorage.getItem(KEY) === typed.key && sessionStorage.getItem(TEXTS) !== canonical(typed)
  } catch {
    return false
  }
}

/** The listing is made. A copy under another key stays: the person has begun another listing since. */
export function forgetSentCopy(ownerId: number): void {
  const copy = readCopy({ ownerId })
  try {
    const sent = sessionStorage.getItem(KEY)
    if (sent) noteDone(ownerId, sent)
    if (copy && copy.typed.key === sent) removeCopy({ ownerId })
  } catch {
    // See above.
  }
}
