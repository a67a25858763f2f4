import { z } from 'zod'
import type { MarketSettings, SettingKey } from '#src/kit/settings.ts'

/** More than half of a price is a slip of the finger. */
const MAX_PERCENT = 50
/** In rupees: far above what a discount may sensibly be, far below what would be mistaken for a price of a herd. */
const MAX_DISCOUNT = 100_000

const whole = (max: number, message: string) =>
  z
    .string(message)
    .trim()
    .regex(/^\d{1,6}$/, message)
    .transform(Number)
    .refine((figure) => figure <= max, message)

const percent = whole(MAX_PERCENT, 'field_setting_percent')
const rupees = whole(MAX_DISCOUNT, 'field_setting_rupees')

/** A percentage or a flat amount, not both: which of them a buyer gets must not be a riddle. All 0: no discount at all. */
const discount = z.object({ percent, rupees, maxRupees: rupees }).superRefine((typed, { addIssue }) => {
  const isOff = typed.percent === 0 && typed.rupees === 0
  if (typed.percent > 0 && typed.rupees > 0) addIssue({ code: 'custom', path: ['rupees'], message: 'field_setting_either' })
  else if (!isOff && typed.maxRupees === 0) addIssue({ code: 'custom', path: ['maxRupees'], message: 'field_setting_cap_zero' })
  else if (typed.rupees > typed.maxRupees) addIssue({ code: 'custom', path: ['maxRupees'], message: 'field_setting_cap_low' })
})

const one = z.object({ percent })

/** What is typed for each setting, and what is kept of it. */
export const settingSchemas = {
  profitMarginPercent: one.transform((typed) => typed.percent),
  recommendedOfferPercent: one.transform((typed) => typed.percent),
  firstOrderDiscount: discount,
  referralDiscount: discount,
} satisfies { [K in SettingKey]: z.ZodType<MarketSettings[K]> }
