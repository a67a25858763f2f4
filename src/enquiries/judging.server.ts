import { undoably } from '#src/accounts/undo.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { textOf } from '#src/kit/http/page.server.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { approval, judgeEnquiry, undoRefusal } from './commands.server.ts'

/** Judges by the form, in which an approval also confirms that the enquiry is genuine, or undoes a refusal. */
export async function judgeByForm(ctx: Ctx, id: number, form: FormData): Promise<'approved' | 'refused' | 'undone'> {
  const act = textOf(form, 'act')
  if (act === 'undo') return undoRefusal(ctx, id).then(() => 'undone')
  const passed = act === 'approve'
  if (!passed && act !== 'refuse') throw new Problem('MALFORMED')
  const typed = { passed, comment: textOf(form, 'comment') }
  if (passed && textOf(form, 'genuine') !== '1') {
    const said = approval.safeParse(typed).error?.issues.map(({ message }) => ({ field: 'comment', message })) ?? []
    throw new Problem('VALIDATION', { fields: [{ field: 'genuine', message: 'field_enquiry_genuine' }, ...said] })
  }
  const judgement = { ...parseInput(approval, typed), seen: textOf(form, 'seen') }
  const judge = (ctx: Ctx) => judgeEnquiry(ctx, id, judgement)
  await (passed ? judge(ctx) : undoably(ctx, judge))
  return passed ? 'approved' : 'refused'
}
