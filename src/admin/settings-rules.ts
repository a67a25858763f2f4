import { defaultSettings, type ContactSetting, type DeskTargets, type DiscountSetting, type SettingKey } from '#src/kit/settings.ts'

export const settingKeys = Object.keys(defaultSettings) as SettingKey[]

/** Settings that change nobody's money, so they take effect at once. */
const officeKeys = ['contact', 'deskTargets', 'smsPaise', 'vetDay'] as const
type OfficeKey = (typeof officeKeys)[number]

/** Settings that change somebody's money. */
export type FigureKey = Exclude<SettingKey, OfficeKey>
export const figureKeys = settingKeys.filter((key): key is FigureKey => !(officeKeys as readonly SettingKey[]).includes(key))
export const isFigureKey = (key: SettingKey): key is FigureKey => (figureKeys as SettingKey[]).includes(key)
export type FigureSetting = number | DiscountSetting

export type SettingField = keyof DiscountSetting

export const settingFields = (key: FigureKey): SettingField[] =>
  key === 'firstOrderDiscount' || key === 'referralDiscount' ? ['percent', 'rupees', 'maxRupees'] : ['percent']

export const figureOf = (value: FigureSetting, field: SettingField): number => (typeof value === 'number' ? value : value[field])

export type ContactField = keyof ContactSetting
const contactFields = Object.keys(defaultSettings.contact) as ContactField[]

export const deskIds = Object.keys(defaultSettings.deskTargets) as (keyof DeskTargets)[]

export const vetDayFields = ['holds', 'checks'] as const

export function fieldsOf(key: SettingKey): string[] {
  if (isFigureKey(key)) return settingFields(key)
  return { contact: contactFields, deskTargets: deskIds, smsPaise: ['paise'], vetDay: [...vetDayFields] }[key]
}
