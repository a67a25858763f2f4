import type { Ctx } from '#src/kit/context.ts'
import { formatDaysAgo } from '#src/kit/time-money/dates.ts'
import { can } from './policy.ts'
import type { Post, Reply, Thread } from './queries.server.ts'

/** Letters of a discussion shown in the list: this much fits on a phone with the next one in view. */
const BEGINNING = 400

function shown(ctx: Ctx, { at, ...post }: Post) {
  return {
    ...post,
    at: at.toISOString(),
    when: formatDaysAgo(at, ctx.now, ctx.locale),
    isDecidable: can(ctx.viewer, 'decide-on-post', post),
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
  const beginning = letters.slice(0, BEGINNING).join('')
  // Do not cut inside a word. In a text of one word, leave out an address: half of it would lead elsewhere.
  const whole = /\s/u.test(beginning) ? beginning.replace(/\s+\S*$/u, '') : beginning.replace(/https?:\S*$/iu, '')
  return { ...shownThread(ctx, { ...thread, content: `${whole} …`.trim() }), isCut: true }
}
