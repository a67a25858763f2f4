import { defaultSettings, type DiscountSetting, type SettingKey } from '#src/kit/settings.ts'

export const settingKeys = Object.keys(defaultSettings) as SettingKey[]

export type SettingField = keyof DiscountSetting

/** Which boxes a setting has. */
export const settingFields = (key: SettingKey): SettingField[] =>
  key === 'firstOrderDiscount' || key === 'referralDiscount' ? ['percent', 'rupees', 'maxRupees'] : ['percent']

/** The figure in one box. */
export const figureOf = (value: number | DiscountSetting, field: SettingField): number => (typeof value === 'number' ? value : value[field])
