import { z } from '@hono/zod-openapi'
import type { Ctx } from '#src/kit/context.ts'
import { m } from '#src/paraglide/messages.js'
import type { Reply, Thread } from './queries.server.ts'

// A discussion and a reply in the specification's field names. Never has a phone number.

const who = { description: "The author's id. Null if the account was deleted." }

export const replyOnWire = z
  .strictObject({
    id: z.int(),
    thread: z.int(),
    RepliedBy: z.int().nullable().openapi(who),
    RepliedBy_name: z.string(),
    reply: z.string().openapi({ description: 'Plain text.' }),
    created_date: z.iso.datetime(),
  })
  .openapi('Reply')
export const threadOnWire = z
  .strictObject({
    id: z.int(),
    PostedBy: z.int().nullable().openapi(who),
    PostedBy_name: z.string(),
    content: z.string().openapi({ description: 'Plain text.' }),
    likescount: z.int(),
    isliked: z.boolean().openapi({ description: 'True if the caller likes it.' }),
    repliescount: z.int(),
    created_date: z.iso.datetime(),
    thread_reply: z.array(replyOnWire).openapi({ description: 'The newest five. /thread/Replies/id={id} returns all.' }),
  })
  .openapi('Thread')

const nameOf = ({ locale }: Ctx, author: Reply['author']) => author?.name ?? m.profile_deleted_user({}, { locale })

export const replyShown = (ctx: Ctx, { id, threadId, author, content, at }: Reply): z.infer<typeof replyOnWire> => ({
  id,
  thread: threadId,
  RepliedBy: author?.id ?? null,
  RepliedBy_name: nameOf(ctx, author),
  reply: content,
  created_date: at.toISOString(),
})

export const onWire = (ctx: Ctx, thread: Thread, newest: Reply[]): z.infer<typeof threadOnWire> => ({
  id: thread.id,
  PostedBy: thread.author?.id ?? null,
  PostedBy_name: nameOf(ctx, thread.author),
  content: thread.content,
  likescount: thread.likes,
  isliked: thread.isLiked,
  repliescount: thread.replyCount,
  created_date: thread.at.toISOString(),
  thread_reply: newest.map((reply) => replyShown(ctx, reply)),
})
