import type { Ctx } from '#src/kit/context.ts'

const PURPOSE = 'forum-form'

/** When a form was rendered, sealed: it comes back with what was typed into it, and nobody can forge it. */
export const stampFor = (ctx: Ctx): string => ctx.vault.seal(PURPOSE, String(ctx.now.getTime())).toString('base64url')

/** Milliseconds since the form was rendered; null for a stamp that is not ours. */
export function typedSince(ctx: Ctx, stamp: string): number {
  try {
    return Math.max(0, ctx.now.getTime() - Number(ctx.vault.open(PURPOSE, Buffer.from(stamp, 'base64url'))))
  } catch {
    return 0
  }
}
