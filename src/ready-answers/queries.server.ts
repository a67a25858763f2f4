import { asc, eq } from 'drizzle-orm'
import { requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import type { ReadyAnswer } from './ready-answers.tsx'
import { readyAnswers, type AnswerDesk } from './tables.ts'

/** The answers of a desk in both languages. */
export async function listAnswers(ctx: Ctx, desk: AnswerDesk): Promise<{ id: number; ta: string; en: string }[]> {
  requireCan(ctx, 'operate')
  return ctx.db
    .select({ id: readyAnswers.id, ta: readyAnswers.textTa, en: readyAnswers.textEn })
    .from(readyAnswers)
    .where(eq(readyAnswers.desk, desk))
    .orderBy(asc(readyAnswers.id))
}

/** The answers of a desk for one receiver. */
export const answersFor = async (ctx: Ctx, desk: AnswerDesk, receiver: Locale): Promise<ReadyAnswer[]> =>
  (await listAnswers(ctx, desk)).map((answer) => ({ label: answer[ctx.locale], text: answer[receiver] }))
