import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { textOf } from '#src/kit/http/page.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { approval, judgeEnquiry } from './commands.server.ts'

/** Judges by the form, in which an approval also confirms that the enquiry is genuine. */
export async function judgeByForm(ctx: Ctx, id: number, form: FormData, passed: boolean): Promise<'approved' | 'refused'> {
  const typed = { passed, comment: textOf(form, 'comment') }
  if (passed && textOf(form, 'genuine') !== '1') {
    const said = approval.safeParse(typed).error?.issues.map(({ message }) => ({ field: 'comment', message })) ?? []
    throw new Problem('VALIDATION', { fields: [{ field: 'genuine', message: 'field_enquiry_genuine' }, ...said] })
  }
  await judgeEnquiry(ctx, id, { ...parseInput(approval, typed), seen: textOf(form, 'seen') })
  return passed ? 'approved' : 'refused'
}
