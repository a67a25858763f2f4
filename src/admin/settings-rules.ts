import { defaultSettings, type ContactSetting, type DiscountSetting, type SettingKey } from '#src/kit/settings.ts'

export const settingKeys = Object.keys(defaultSettings) as SettingKey[]

/** Settings made of figures; the contact is text. */
type FigureKey = Exclude<SettingKey, 'contact'>
export const figureKeys = settingKeys.filter((key): key is FigureKey => key !== 'contact')
export type FigureSetting = number | DiscountSetting

export type SettingField = keyof DiscountSetting

/** The fields of a setting. */
export const settingFields = (key: FigureKey): SettingField[] =>
  key === 'firstOrderDiscount' || key === 'referralDiscount' ? ['percent', 'rupees', 'maxRupees'] : ['percent']

/** The figure in one field. */
export const figureOf = (value: FigureSetting, field: SettingField): number => (typeof value === 'number' ? value : value[field])

export type ContactField = keyof ContactSetting
export const contactFields = Object.keys(defaultSettings.contact) as ContactField[]
