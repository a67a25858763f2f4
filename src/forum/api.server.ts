import { z } from '@hono/zod-openapi'
import { answer, idInPath, call, jsonBody, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { encodeCursor } from '#src/kit/http/pagination.ts'
import { answerPage, cursorInQuery, cursorOf, wrongCursor } from '#src/kit/http/paged-answers.server.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'
import { singleLine } from '#src/kit/text/plain-text.ts'
import { MAX_TOP } from '#src/listings/browse/schemas.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { deleteReply, deleteThread, postReply, postThread } from './commands.server.ts'
import { flagPost } from './flags.server.ts'
import { likeThread, unlikeThread } from './likes.server.ts'
import { ensureShown, listNewestReplies, listReplies, listThreads } from './queries.server.ts'
import { MAX_CONTENT, MAX_REPLY, SORTS } from './limits.ts'
import { flagInput, newReply, newThread } from './schemas.ts'
import { FLAG_REASONS } from './tables.ts'
import { onWire, replyOnWire, replyShown, threadOnWire } from './wire.server.ts'

const pathId = idInPath()
const bodyId = z.int().positive().max(999_999_999_999_999)
const done = z.strictObject({ rows: z.literal(1) })
const made = z.strictObject({ rows: z.literal(1), id: z.int() })
const liked = z.strictObject({ rows: z.literal(1), likescount: z.int() })
const REPLY_LIST = /^reply$/

/** Rows 52 to 56 of api.md, and calls that the specifications lack: deleting and reporting. */
export function addForumCalls(api: Api): void {
  addThreads(api)
  addReplies(api)
  addLikes(api)
  addFlags(api)
}

function addThreads(api: Api): void {
  addThreadList(api)
  addThreadWriting(api)
}

function addThreadList(api: Api): void {
  call(api, 'GET /thread', {
    tags: ['Forum'],
    summary: 'List discussions',
    description: `${MAX_TOP} per page, newest or most liked first. Hidden and deleted discussions are omitted.`,
    request: {
      query: z.strictObject({
        sort: z.enum(SORTS).optional(),
        q: z.string().max(100).overwrite(singleLine).optional().openapi({ description: 'Search by sound: maadu finds மாடு.' }),
        cursor: cursorInQuery,
      }),
    },
    responses: { 200: answerPage('The discussions.', z.array(threadOnWire)), ...refusals('VALIDATION') },
    run: async (c) => {
      const { ctx } = c.var
      const { sort = 'newest', q = '', cursor: after = null } = c.req.valid('query')
      const page = await listThreads(ctx, { sort, text: q, after, top: MAX_TOP })
      if (after !== null && page.isFirst) throw wrongCursor()
      if (page.next !== null) c.header('X-Next-Cursor', page.next)
      const newest = await listNewestReplies(
        ctx,
        page.threads.map(({ id }) => id),
      )
      return sendPersonal(
        c,
        page.threads.map((thread) => onWire(ctx, thread, newest.get(thread.id) ?? [])),
      )
    },
  })
}

function addThreadWriting(api: Api): void {
  call(api, 'POST /thread', {
    tags: ['Forum'],
    summary: 'Start a discussion',
    description: 'Plain text. The limits on number and frequency depend on the age of the account.',
    request: {
      body: jsonBody(
        z.strictObject({
          PostedBy: bodyId.optional().openapi({ description: "The caller's own id. Optional." }),
          content: z
            .unknown()
            .optional()
            .openapi({ type: 'string', description: `1 to ${MAX_CONTENT} characters.` }),
        }),
      ),
    },
    responses: {
      200: answer('The id of the discussion.', made),
      ...refusals('VALIDATION', 'IDENTITY_MISMATCH', 'DUPLICATE', 'SILENCED'),
    },
    run: async (c) => {
      const { ctx, market } = c.var
      const { PostedBy, content } = c.req.valid('json')
      ensureSelf(ctx, PostedBy)
      const { id } = await postThread(ctx, parseInput(newThread, { content }).content, { limitFactor: market.limits.factorOf('user') })
      return sendPersonal(c, { rows: 1 as const, id })
    },
  })
  call(api, 'DELETE /thread/id={threadId}', {
    tags: ['Forum'],
    summary: 'Delete a discussion',
    description: 'Authors delete their own discussions. Replies by others remain.',
    request: { params: z.object({ threadId: pathId }) },
    responses: { 200: answer('Deleted.', done), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      await deleteThread(c.var.ctx, c.req.valid('param').threadId)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function addReplies(api: Api): void {
  addReplyList(api)
  addReplyWriting(api)
}

function addReplyList(api: Api): void {
  call(api, 'GET /thread/Replies/id={threadId}', {
    tags: ['Forum'],
    summary: 'List the replies to a discussion',
    description: `Oldest first, ${MAX_TOP} per page.`,
    request: { params: z.object({ threadId: pathId }), query: z.strictObject({ cursor: cursorInQuery }) },
    responses: { 200: answerPage('The replies.', z.array(replyOnWire)), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      const { ctx } = c.var
      const { threadId } = c.req.valid('param')
      const list = `replies-${threadId}`
      const after = cursorOf(list, c.req.valid('query').cursor, REPLY_LIST)
      await ensureShown(ctx, threadId)
      const page = await listReplies(ctx, threadId, { after: after?.id ?? null, top: MAX_TOP, isPlain: true })
      if (page.next !== null) c.header('X-Next-Cursor', encodeCursor(list, { value: 'reply', id: page.next }))
      return sendPersonal(
        c,
        page.replies.map((reply) => replyShown(ctx, reply)),
      )
    },
  })
}

function addReplyWriting(api: Api): void {
  call(api, 'POST /thread/Replies/id={threadId}', {
    tags: ['Forum'],
    summary: 'Reply to a discussion',
    description: 'Plain text. `thread` is optional and must equal the id in the path.',
    request: {
      params: z.object({ threadId: pathId }),
      body: jsonBody(
        z.strictObject({
          thread: bodyId.optional(),
          RepliedBy: bodyId.optional().openapi({ description: "The caller's own id. Optional." }),
          reply: z
            .unknown()
            .optional()
            .openapi({ type: 'string', description: `1 to ${MAX_REPLY} characters.` }),
        }),
      ),
    },
    responses: {
      200: answer('The id of the reply.', made),
      ...refusals('VALIDATION', 'IDENTITY_MISMATCH', 'NOT_FOUND', 'DUPLICATE', 'SILENCED'),
    },
    run: async (c) => {
      const { ctx, market } = c.var
      const { threadId } = c.req.valid('param')
      const { thread, RepliedBy, reply } = c.req.valid('json')
      ensureSelf(ctx, RepliedBy)
      if (thread !== undefined && thread !== threadId) throw invalidField('thread', 'The number in the path.')
      const { id } = await postReply(ctx, threadId, parseInput(newReply, { reply }).reply, { limitFactor: market.limits.factorOf('user') })
      return sendPersonal(c, { rows: 1 as const, id })
    },
  })
  call(api, 'DELETE /thread/reply/id={replyId}', {
    tags: ['Forum'],
    summary: 'Delete a reply',
    description: 'Authors delete their own replies. A deleted reply is no longer shown or counted.',
    request: { params: z.object({ replyId: pathId }) },
    responses: { 200: answer('Deleted.', done), ...refusals('VALIDATION', 'NOT_FOUND') },
    run: async (c) => {
      await deleteReply(c.var.ctx, c.req.valid('param').replyId)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function addLikes(api: Api): void {
  for (const { method, summary, act } of [
    { method: 'POST', summary: 'Like a discussion', act: likeThread },
    { method: 'DELETE', summary: 'Unlike a discussion', act: unlikeThread },
  ] as const)
    call(api, `${method} /thread/like/id={threadId}`, {
      tags: ['Forum'],
      summary,
      description: 'Idempotent.',
      request: { params: z.object({ threadId: pathId }) },
      responses: { 200: answer('The number of likes.', liked), ...refusals('VALIDATION', 'NOT_FOUND') },
      run: async (c) => sendPersonal(c, { rows: 1 as const, likescount: await act(c.var.ctx, c.req.valid('param').threadId) }),
    })
}

function addFlags(api: Api): void {
  const body = z.strictObject({
    thread: bodyId.optional().openapi({ description: 'The id of the discussion. Required without `reply`.' }),
    reply: bodyId.optional().openapi({ description: 'The id of the reply. Required without `thread`.' }),
    reason: z
      .unknown()
      .optional()
      .openapi({ type: 'string', enum: [...FLAG_REASONS] }),
    comment: z.unknown().optional().openapi({ type: 'string', description: 'At most 1000 characters. Required with `other`.' }),
  })
  call(api, 'POST /flag', {
    tags: ['Forum'],
    summary: 'Report a discussion or a reply',
    description: 'An admin reviews the report. The author does not learn who sent it. A second report of the same post replaces the first.',
    request: { body: jsonBody(body) },
    responses: {
      200: answer('The report is stored.', done),
      ...refusals('VALIDATION', 'NOT_FOUND', 'OWN_ROW'),
    },
    run: async (c) => {
      const { thread, reply, reason, comment } = c.req.valid('json')
      if ((thread === undefined) === (reply === undefined)) throw invalidField('thread', 'Either thread or reply.')
      const input = parseInput(flagInput, { reason, comment })
      await flagPost(c.var.ctx, thread === undefined ? { kind: 'reply', id: reply! } : { kind: 'thread', id: thread }, input)
      return sendPersonal(c, { rows: 1 as const })
    },
  })
}

function ensureSelf({ viewer }: Ctx, named: number | undefined): void {
  if (named !== undefined && named !== viewer?.id) throw new Problem('IDENTITY_MISMATCH')
}
