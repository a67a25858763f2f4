import { z } from 'zod'
import { oneLine, paragraphs } from '#src/kit/text/text.ts'
import { LONGEST_PLACE, LONGEST_TEXT, LONGEST_TITLE } from './limits.ts'
import { SHOWCASE_KINDS } from '../tables.ts'

const line = (max: number, blank?: `field_${string}`) => oneLine(max, 'field_showcase_long', blank)
const empty = z.literal('').transform(() => null)
const day = z.union([empty, z.iso.date('field_check_date_wrong')])

/** A desk form's fields: all are text, and fields that the kind does not have are empty. */
export const showcaseInput = z
  .object({
    kind: z.enum(SHOWCASE_KINDS),
    titleTa: line(LONGEST_TITLE, 'field_blank'),
    titleEn: line(LONGEST_TITLE, 'field_blank'),
    textTa: paragraphs(LONGEST_TEXT, 'field_showcase_long', 'field_blank'),
    textEn: paragraphs(LONGEST_TEXT, 'field_showcase_long', 'field_blank'),
    placeTa: line(LONGEST_PLACE).default(''),
    placeEn: line(LONGEST_PLACE).default(''),
    // A path of our own site, so that a mistake cannot link our home page to another site.
    path: z.union([empty, z.string().regex(/^\/(?!\/)[a-z0-9/?=&%,.-]{0,200}$/i, 'field_showcase_path')]).default(null),
    weekday: z.union([empty, z.coerce.number().int().min(0).max(6)]).default(null),
    fromDay: day.default(null),
    toDay: day.default(null),
    position: z.coerce
      .number('field_showcase_position')
      .int('field_showcase_position')
      .min(0, 'field_showcase_position')
      .max(99, 'field_showcase_position'),
    isShown: z.boolean(),
    /** The quoted person has agreed. */
    isAgreed: z.boolean(),
  })
  .superRefine((item, { addIssue }) => {
    const addFieldIssue = (field: string, message: string) => addIssue({ code: 'custom', path: [field], message })
    if (item.kind === 'banner' && item.path === null) addFieldIssue('path', 'field_showcase_path')
    if (item.kind === 'voice' && !item.isAgreed) addFieldIssue('isAgreed', 'field_consent_missing')
    if (item.kind === 'voice' && item.placeTa === '') addFieldIssue('placeTa', 'field_blank')
    if (item.kind === 'voice' && item.placeEn === '') addFieldIssue('placeEn', 'field_blank')
    if ((item.placeTa === '') !== (item.placeEn === '')) addFieldIssue(item.placeTa === '' ? 'placeTa' : 'placeEn', 'field_blank')
    if (item.kind === 'market_day' && (item.weekday === null) === (item.fromDay === null)) addFieldIssue('weekday', 'field_showcase_when')
    if (item.toDay !== null && (item.fromDay ?? item.toDay) > item.toDay) addFieldIssue('toDay', 'field_showcase_days')
  })
  .transform(({ isAgreed: _agreed, ...item }) => ({
    ...item,
    // Drop fields that the kind does not have.
    path: item.kind === 'banner' ? item.path : null,
    weekday: item.kind === 'market_day' ? item.weekday : null,
    fromDay: item.kind === 'voice' || item.weekday !== null ? null : item.fromDay,
    toDay: item.kind === 'voice' || item.weekday !== null ? null : item.toDay,
  }))
export type ShowcaseInput = z.infer<typeof showcaseInput>
