import { defaultSettings, type ContactSetting, type DiscountSetting, type SettingKey } from '#src/kit/settings.ts'

export const settingKeys = Object.keys(defaultSettings) as SettingKey[]

/** Those made of figures; how Sandhai is reached is words. */
type FigureKey = Exclude<SettingKey, 'contact'>
export const figureKeys = settingKeys.filter((key): key is FigureKey => key !== 'contact')
export type FigureSetting = number | DiscountSetting

export type SettingField = keyof DiscountSetting

/** Which boxes a setting has. */
export const settingFields = (key: FigureKey): SettingField[] =>
  key === 'firstOrderDiscount' || key === 'referralDiscount' ? ['percent', 'rupees', 'maxRupees'] : ['percent']

/** The figure in one box. */
export const figureOf = (value: FigureSetting, field: SettingField): number => (typeof value === 'number' ? value : value[field])

export type ContactField = keyof ContactSetting
export const contactFields = Object.keys(defaultSettings.contact) as ContactField[]
