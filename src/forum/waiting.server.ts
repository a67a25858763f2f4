import { sql } from 'drizzle-orm'
import type { WaitingCases } from '#src/kit/records/waiting.ts'
import { waitingPosts } from './moderation.server.ts'

/** Enough of a post to recognise it. */
const TITLE_LENGTH = 60

export const postsWaiting: WaitingCases = () => sql`
  select w.at as since, left(coalesce(p.content, t.content), ${TITLE_LENGTH}::int) as title, '/admin/forum?post=' || w.kind || '-' || w.id as path,
    null::text as whose
  from (${waitingPosts}) w
  left join threads t on w.kind = 'thread' and t.id = w.id
  left join replies p on w.kind = 'reply' and p.id = w.id`
