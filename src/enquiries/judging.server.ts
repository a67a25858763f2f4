import { textOf } from '#src/accounts/sign-in/auth-forms.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { parseForm } from '#src/kit/http/page.server.ts'
import { Problem } from '#src/kit/problem.ts'
import { cannedAnswers } from '#src/kit/text/canned-answers.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { m } from '#src/paraglide/messages.js'
import { approval, judgeEnquiry } from './commands.server.ts'

/** What the form of a verdict says: an approval also states that the enquiry is genuine. */
export async function judgeByForm(ctx: Ctx, id: number, form: FormData, passed: boolean): Promise<'approved' | 'refused'> {
  const typed = { passed, comment: textOf(form, 'comment') }
  if (passed && textOf(form, 'genuine') !== '1') {
    const said = approval.safeParse(typed).error?.issues.map(({ message }) => ({ field: 'comment', message })) ?? []
    throw new Problem('VALIDATION', { fields: [{ field: 'genuine', message: 'field_enquiry_genuine' }, ...said] })
  }
  await judgeEnquiry(ctx, id, parseForm(approval, typed))
  return passed ? 'approved' : 'refused'
}

const answers = [m.canned_called, m.canned_enquiry_shown, m.canned_unreachable, m.canned_enquiry_unclear, m.canned_enquiry_sells] as const

/** Ready comments for a verdict, in the poster's language. */
export const enquiryAnswers = (ctx: Ctx, poster: Locale) => cannedAnswers(answers, ctx.locale, poster)
