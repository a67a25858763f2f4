import { Hono } from 'hono'
import { problemText } from './kit/problem-text.ts'
import { problems, type Problem } from './kit/problem.ts'
import type { Market } from './market.server.ts'
import type { AppContext, AppEnv } from './request.server.ts'

export function createApi(_market: Market): Hono<AppEnv> {
  return new Hono<AppEnv>()
}

/** RFC 9457. The title is always English, the detail is the reader's language. */
export function problemResponse(c: AppContext, problem: Problem): Response {
  const locale = c.var.ctx?.locale ?? 'ta'
  return c.body(
    JSON.stringify({
      type: 'about:blank',
      title: problems[problem.code].title,
      status: problem.status,
      detail: problemText(problem.code, locale),
      code: problem.code,
      ...(problem.fields && { fields: problem.fields }),
      requestId: c.var.requestId,
    }),
    problem.status as 400,
    {
      'Content-Type': 'application/problem+json; charset=utf-8',
      'Cache-Control': 'no-store',
      ...(problem.retryAfterSeconds && { 'Retry-After': String(problem.retryAfterSeconds) }),
    },
  )
}
