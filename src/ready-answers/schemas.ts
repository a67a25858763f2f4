import { z } from 'zod'
import { paragraphs } from '#src/kit/text/text.ts'
import { LONGEST_ANSWER, MOST_ANSWERS } from './limits.ts'

const words = paragraphs(LONGEST_ANSWER, 'field_showcase_long')

/** An answer needs both languages, because its receiver reads it in theirs. */
const answer = z.object({ ta: words, en: words }).superRefine(({ ta, en }, { addIssue }) => {
  if ((ta === '') === (en === '')) return
  addIssue({ code: 'custom', path: [ta === '' ? 'ta' : 'en'], message: 'field_blank' })
})

/** The answers of a desk from its form. Two empty languages are no answer. */
export const answersInput = z
  .array(answer)
  .max(MOST_ANSWERS)
  .transform((answers) => answers.filter(({ ta }) => ta !== ''))
export type AnswersInput = z.infer<typeof answersInput>
