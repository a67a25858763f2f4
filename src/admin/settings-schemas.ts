import { z } from 'zod'
import type { MarketSettings, SettingKey } from '#src/kit/settings.ts'
import { typedRupees } from '#src/kit/time-money/amounts.ts'
import { plainFigures, singleLine } from '#src/kit/text/plain-text.ts'
import { emailAddress } from '#src/kit/text/text.ts'

/** More than half of a price is a typing error. */
const MAX_PERCENT = 50
/** In rupees: far above a sensible discount, far below the price of a herd. */
const MAX_DISCOUNT = 100_000

const whole = (max: number, message: string, plain = plainFigures) =>
  z
    .string(message)
    .overwrite(plain)
    .regex(/^\d{1,6}$/, message)
    .transform(Number)
    .refine((figure) => figure <= max, message)

const percent = whole(MAX_PERCENT, 'field_setting_percent')
const rupees = whole(MAX_DISCOUNT, 'field_setting_rupees', typedRupees)

/** A percentage or a flat amount, not both, so that it is clear which one a buyer gets. All fields 0 mean no discount. */
const discount = z.object({ percent, rupees, maxRupees: rupees }).superRefine((typed, { addIssue }) => {
  const isOff = typed.percent === 0 && typed.rupees === 0
  if (typed.percent > 0 && typed.rupees > 0) addIssue({ code: 'custom', path: ['rupees'], message: 'field_setting_either' })
  else if (!isOff && typed.maxRupees === 0) addIssue({ code: 'custom', path: ['maxRupees'], message: 'field_setting_cap_zero' })
  else if (typed.rupees > typed.maxRupees) addIssue({ code: 'custom', path: ['maxRupees'], message: 'field_setting_cap_low' })
})

const one = z.object({ percent })

/** People write numbers with blanks and hyphens. Landlines are allowed. */
const phone = z
  .string('field_setting_phone')
  .overwrite((text) => plainFigures(text).replaceAll('-', ''))
  .regex(/^\+[1-9]\d{9,14}$/, 'field_setting_phone')

const mail = z
  .string('field_setting_mail')
  .overwrite((text) => emailAddress.safeParse(text).data ?? '')
  .min(1, 'field_setting_mail')

const line = z.string('field_setting_line').overwrite(singleLine).min(3, 'field_setting_line').max(200, 'field_setting_line')

/** A link must lead to the site that the page names, so that a typing error sends nobody elsewhere. */
const linkTo = (site: string) =>
  z
    .string('field_setting_link')
    .overwrite(singleLine)
    .refine((text) => text === '' || (text.length <= 200 && isOn(site, text)), 'field_setting_link')

function isOn(site: string, text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname, username } = new URL(text)
  // Accept the demo's sample links, which lead nowhere; otherwise no other line could be changed.
  const sample = site.replace(/\.com$/, '.example')
  return protocol === 'https:' && username === '' && (hostname === site || hostname.endsWith(`.${site}`) || hostname === sample)
}

const contact = z.object({
  phone,
  mail,
  whatsapp: phone,
  addressTa: line,
  addressEn: line,
  grievanceTa: line,
  grievanceEn: line,
  grievanceMail: mail,
  facebook: linkTo('facebook.com'),
  instagram: linkTo('instagram.com'),
  youtube: linkTo('youtube.com'),
})

/** In hours: a month is longer than anybody should wait. */
const hours = whole(720, 'field_setting_hours').refine((figure) => figure > 0, 'field_setting_hours')
const deskTargets = z.object({
  listings: hours,
  secondLooks: hours,
  proofs: hours,
  orders: hours,
  enquiries: hours,
  reports: hours,
  forum: hours,
  tickets: hours,
  people: hours,
  money: hours,
})

/** In paise: an SMS of ten rupees is a typing error. */
const MAX_PAISE = 1000
const smsPaise = z.object({ paise: whole(MAX_PAISE, 'field_setting_paise') }).transform(({ paise }) => paise)

/** 1 to 999: no vet checks more animals in a day. */
const animals = whole(999, 'field_setting_animals').refine((figure) => figure > 0, 'field_setting_animals')
const vetDay = z.object({ holds: animals, checks: animals })

/** For each setting the schema of its typed fields, which transforms them into the stored value. */
export const settingSchemas = {
  profitMarginPercent: one.transform((typed) => typed.percent),
  recommendedOfferPercent: one.transform((typed) => typed.percent),
  firstOrderDiscount: discount,
  referralDiscount: discount,
  contact,
  deskTargets,
  smsPaise,
  vetDay,
} satisfies { [K in SettingKey]: z.ZodType<MarketSettings[K]> }
