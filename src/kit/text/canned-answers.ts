import type { Locale } from './locale.ts'

/** A ready answer: the admin reads it in their language, the receiver gets it in theirs. */
export interface CannedAnswer {
  label: string
  text: string
}

type Text = (inputs: object, options: { locale: Locale }) => string

export const cannedAnswers = (texts: readonly Text[], reader: Locale, receiver: Locale): CannedAnswer[] =>
  texts.map((text) => ({ label: text({}, { locale: reader }), text: text({}, { locale: receiver }) }))
