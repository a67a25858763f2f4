import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'

/** How the milk yield is known: "3 milkings shown", else "seller says". */
export function milkProofText(shown: number, locale: Locale): string {
  if (shown === 0) return m.milk_seller_says({}, { locale })
  return shown === 1 ? m.milk_shown_one({}, { locale }) : m.milk_shown({ count: shown }, { locale })
}

/** The same for cards, where Tamil has room for one word. */
export function cardProofText(shown: number, locale: Locale): string {
  if (shown === 0) return m.card_milk_says({}, { locale })
  return shown === 1 ? m.card_milk_shown_one({}, { locale }) : m.card_milk_shown({ count: shown }, { locale })
}
