import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { bytes, idOf, moment, partial, tsvector } from '#src/kit/db/tables.ts'
import { users } from '../accounts/tables.ts'

/** `review`: waits for an admin; `hidden`: removed by an admin, with a reason; `deleted`: removed by its author. */
export const POST_STATES = ['shown', 'review', 'hidden', 'deleted'] as const
export const FLAG_REASONS = ['hate', 'explicit', 'harassment', 'fraud', 'advertising', 'other'] as const

/** Columns that threads and replies share. */
const post = () => ({
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  /** Null after the author has deleted their account and left the post. */
  authorId: idOf('author_id', () => users.id),
  content: text().notNull(),
  /** Hash of the words only: a repeat within five minutes is refused. */
  contentHash: bytes('content_hash').notNull(),
  state: text({ enum: POST_STATES }).notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  decidedById: idOf('decided_by_id', () => users.id),
  decidedAt: moment('decided_at'),
  /** The reason why it was hidden; its author reads it. */
  reason: text(),
})

export const threads = pgTable(
  'threads',
  {
    ...post(),
    likesCount: integer('likes_count').notNull().default(0),
    repliesCount: integer('replies_count').notNull().default(0),
    lastPostAt: moment('last_post_at').notNull().defaultNow(),
    /** Phonetic keys, as for a listing. */
    searchKeys: tsvector('search_keys').notNull(),
  },
  (t) => {
    const shown = sql`state = 'shown'`
    return [
      index('threads_newest').on(t.createdAt, t.id).where(shown),
      index('threads_liked').on(t.likesCount, t.id).where(shown),
      index('threads_search').using('gin', t.searchKeys).where(shown),
      index('threads_author').on(t.authorId, t.createdAt),
      partial(index('threads_review').on(t.createdAt, t.id), sql`state = 'review'`),
      check('threads_state', sql`${t.state} in ('shown', 'review', 'hidden', 'deleted')`),
    ]
  },
)

export const replies = pgTable(
  'replies',
  {
    ...post(),
    threadId: idOf('thread_id', () => threads.id, { onDelete: 'cascade' }).notNull(),
  },
  (t) => [
    index('replies_thread').on(t.threadId, t.id),
    index('replies_author').on(t.authorId, t.createdAt),
    partial(index('replies_review').on(t.createdAt, t.id), sql`state = 'review'`),
    check('replies_state', sql`${t.state} in ('shown', 'review', 'hidden', 'deleted')`),
  ],
)

export const threadLikes = pgTable(
  'thread_likes',
  {
    threadId: idOf('thread_id', () => threads.id, { onDelete: 'cascade' }).notNull(),
    userId: idOf('user_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.threadId, t.userId] }), index('thread_likes_user').on(t.userId, t.createdAt)],
)

/** A report that a post breaks the rules. One open flag per person and post. */
export const flags = pgTable(
  'flags',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    reporterId: idOf('reporter_id', () => users.id, { onDelete: 'cascade' }).notNull(),
    threadId: idOf('thread_id', () => threads.id, { onDelete: 'cascade' }),
    replyId: idOf('reply_id', () => replies.id, { onDelete: 'cascade' }),
    reason: text({ enum: FLAG_REASONS }).notNull(),
    comment: text().notNull().default(''),
    createdAt: moment('created_at').notNull().defaultNow(),
    closedAt: moment('closed_at'),
    closedById: idOf('closed_by_id', () => users.id),
    outcome: text({ enum: ['left', 'hidden'] }),
  },
  (t) => [
    partial(uniqueIndex('flags_open_thread').on(t.reporterId, t.threadId), sql`closed_at is null and thread_id is not null`),
    partial(uniqueIndex('flags_open_reply').on(t.reporterId, t.replyId), sql`closed_at is null and reply_id is not null`),
    partial(index('flags_open').on(t.createdAt, t.id), sql`closed_at is null`),
    index('flags_reporter').on(t.reporterId),
    index('flags_thread').on(t.threadId),
    index('flags_reply').on(t.replyId),
    check('flags_one', sql`(${t.threadId} is null) <> (${t.replyId} is null)`),
    check('flags_reason', sql`${t.reason} in ('hate', 'explicit', 'harassment', 'fraud', 'advertising', 'other')`),
    check('flags_outcome', sql`${t.outcome} in ('left', 'hidden')`),
    check('flags_closed', sql`(${t.closedAt} is null) = (${t.closedById} is null) and (${t.closedAt} is null) = (${t.outcome} is null)`),
  ],
)
