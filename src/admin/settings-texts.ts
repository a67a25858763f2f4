import type { SettingKey, VetDaySetting } from '#src/kit/settings.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { figureOf, isFigureKey, settingFields, vetDayFields, type FigureSetting } from './settings-rules.ts'

type Texts = { locale?: Locale }

export const settingNames: Record<SettingKey, (inputs?: object, texts?: Texts) => string> = {
  profitMarginPercent: m.settings_margin,
  recommendedOfferPercent: m.settings_offer,
  firstOrderDiscount: m.settings_first,
  referralDiscount: m.settings_referral,
  contact: m.settings_contact,
  deskTargets: m.settings_targets,
  smsPaise: m.settings_sms,
  vetDay: m.settings_vet_day,
}

export const vetDayLabels = { holds: m.settings_vet_holds, checks: m.settings_vet_checks }

/** A setting in one line, for example "2% · ₹0 · at most ₹500"; empty for one with too many fields. */
export function settingText(key: SettingKey, value: unknown, texts: Texts = {}): string {
  if (isFigureKey(key)) return figuresText(key, value as FigureSetting, texts)
  if (key === 'smsPaise') return m.settings_sms_price({ paise: value as number }, texts)
  if (key === 'vetDay')
    return vetDayFields.map((field) => `${vetDayLabels[field]({}, texts)}: ${(value as VetDaySetting)[field]}`).join(', ')
  return ''
}

const figuresText = (key: Parameters<typeof settingFields>[0], value: FigureSetting, texts: Texts): string =>
  settingFields(key)
    .map((field) => {
      const figure = figureOf(value, field)
      if (field === 'percent') return `${figure}%`
      return field === 'rupees' ? `₹${figure}` : m.settings_at_most({ rupees: `₹${figure}` }, texts)
    })
    .join(' · ')
