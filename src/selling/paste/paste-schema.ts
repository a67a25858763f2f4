import { paragraphs } from '#src/kit/text/text.ts'

/** The length of a description plus some chatter around it. */
const LONGEST_PASTE = 3000
export const pastedText = paragraphs(LONGEST_PASTE, 'field_paste_long', 'field_paste_blank')
