import type { Ctx } from '#src/kit/context.ts'
import { formatDaysAgo } from '#src/kit/dates.ts'
import { can } from '../accounts/rules.ts'
import type { Post, Reply, Thread } from './queries.server.ts'

/** On the list a discussion shows its beginning; so much fits on a phone with the next one in sight. */
const BEGINNING = 400

function shown(ctx: Ctx, { at, ...post }: Post) {
  return {
    ...post,
    at: at.toISOString(),
    when: formatDaysAgo(at, ctx.now, ctx.locale),
    isDecidable: can(ctx.viewer, 'operate') && !post.isOwn,
  }
}

export const shownThread = (ctx: Ctx, { likes, isLiked, replyCount, ...post }: Thread) => ({
  ...shown(ctx, post),
  likes,
  isLiked,
  replyCount,
})
export type ShownThread = ReturnType<typeof shownThread>

export const shownReply = (ctx: Ctx, { threadId, ...post }: Reply) => ({ ...shown(ctx, post), threadId })
export type ShownReply = ReturnType<typeof shownReply>

export function beginningOf(ctx: Ctx, thread: Thread): ShownThread & { isCut: boolean } {
  const letters = [...thread.content]
  if (letters.length <= BEGINNING) return { ...shownThread(ctx, thread), isCut: false }
  // Not in the middle of a word, or of an address.
  const content = `${letters
    .slice(0, BEGINNING)
    .join('')
    .replace(/\s+\S*$/u, '')} …`
  return { ...shownThread(ctx, { ...thread, content }), isCut: true }
}
