import { eq, sql } from 'drizzle-orm'
import { decidedInTrail } from '#src/accounts/decided-meanwhile.server.ts'
import { requireCan } from '#src/accounts/policy.ts'
import { holdAdmin } from '#src/accounts/people/users.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { m } from '#src/paraglide/messages.js'
import { listAnswers } from './queries.server.ts'
import type { AnswersInput } from './schemas.ts'
import { readyAnswers, type AnswerDesk } from './tables.ts'

/** Version of a desk's answers: each change inserts all of them again, so the last id changes. */
export const seenOf = (answers: { id: number }[]): number => answers.at(-1)?.id ?? 0

/** Replaces a desk's answers. `seen` is `seenOf` of the answers that the admin saw: VERSION when somebody has changed them since. */
export async function saveAnswers(ctx: Ctx, desk: AnswerDesk, answers: AnswersInput, seen: number): Promise<void> {
  requireCan(ctx, 'operate')
  await inTransaction(ctx, async (ctx) => {
    const { id: changedById } = await holdAdmin(ctx)
    await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`answers:${desk}`}))`)
    const before = await listAnswers(ctx, desk)
    if (before.length === answers.length && before.every(({ ta, en }, n) => ta === answers[n]!.ta && en === answers[n]!.en)) return
    if (seenOf(before) !== seen)
      throw await decidedInTrail(ctx, `answers:${desk}`, {
        answers_changed: (_, locale) => m.trail_event_answers_changed({}, { locale }),
      })
    await ctx.db.delete(readyAnswers).where(eq(readyAnswers.desk, desk))
    if (answers.length > 0)
      await ctx.db
        .insert(readyAnswers)
        .values(answers.map(({ ta, en }) => ({ desk, textTa: ta, textEn: en, changedById, changedAt: ctx.now })))
    await audit(ctx, 'answers_changed', `answers:${desk}`, { before: before.length, after: answers.length })
  })
}
