import { sql } from 'drizzle-orm'
import { bigint, check, index, pgTable, text } from 'drizzle-orm/pg-core'
import { idOf, moment } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'

/** The desks whose admins write answers. */
export const ANSWER_DESKS = ['enquiries', 'reports', 'forum', 'tickets'] as const
export type AnswerDesk = (typeof ANSWER_DESKS)[number]

/** Frequent answers of admins in both languages, ordered by id; a change inserts all answers of the desk again. */
export const readyAnswers = pgTable(
  'ready_answers',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    desk: text({ enum: ANSWER_DESKS }).notNull(),
    textTa: text('text_ta').notNull(),
    textEn: text('text_en').notNull(),
    /** Null: a default answer. */
    changedById: idOf('changed_by_id', () => users.id),
    changedAt: moment('changed_at').notNull(),
  },
  (t) => [
    index('ready_answers_desk').on(t.desk, t.id),
    index('ready_answers_changed_by').on(t.changedById),
    check('ready_answers_desk', sql`${t.desk} in ('enquiries', 'reports', 'forum', 'tickets')`),
  ],
)
