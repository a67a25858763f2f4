import { paragraphs } from '#src/kit/text/text.ts'

/** As much as a description takes, and some chatter around it. */
export const LONGEST_PASTE = 3000
export const pastedText = paragraphs(LONGEST_PASTE, 'field_paste_long', 'field_paste_blank')
