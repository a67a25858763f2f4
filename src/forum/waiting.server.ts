import { sql } from 'drizzle-orm'
import { beginningOf, caseColumns, type WaitingCases } from '#src/kit/records/waiting.ts'
import { waitingPosts } from './moderation.server.ts'

export const postsWaiting: WaitingCases = () => sql`
  select ${caseColumns({
    since: sql`w.at`,
    title: beginningOf(sql`coalesce(p.content, t.content)`),
    path: sql`'/admin/forum?post=' || w.kind || '-' || w.id`,
    person: sql`(select u.name from users u where u.id = coalesce(p.author_id, t.author_id))`,
  })}
  from (${waitingPosts}) w
  left join threads t on w.kind = 'thread' and t.id = w.id
  left join replies p on w.kind = 'reply' and p.id = w.id`
