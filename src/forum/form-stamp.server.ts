import type { Ctx } from '#src/kit/context.ts'

const PURPOSE = 'forum-form'

/** The time when a form was rendered, sealed so that nobody can forge it; the form sends it back. */
export const stampFor = (ctx: Ctx): string => ctx.vault.seal(PURPOSE, String(ctx.now.getTime())).toString('base64url')

/** Milliseconds since the form was rendered; 0 for a stamp that is not ours, which counts as too quick. */
export function typedSince(ctx: Ctx, stamp: string): number {
  try {
    return Math.max(0, ctx.now.getTime() - Number(ctx.vault.open(PURPOSE, Buffer.from(stamp, 'base64url'))))
  } catch {
    return 0
  }
}
