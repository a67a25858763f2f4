import { redirect } from 'react-router'
import { z } from 'zod'
import type { Ctx } from '#src/kit/context.ts'
import { pageAction, textOf } from '#src/kit/http/page.server.ts'
import type { Problem } from '#src/kit/base/problem.ts'
import { problemDetail, refusalInUrl } from '#src/kit/problem-text.ts'
import type { Locale } from '#src/kit/text/locale.ts'
import { anyPassword } from '../schemas.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { requireOwnPassword } from './login.server.ts'

/**
 * The action of a file with other people's data: its form asks for the viewer's password (ui/panels.tsx). A refusal redirects to `page`,
 * an address in the viewer's language, with `?csv=`, and the form there shows it.
 */
export const fileAction = (
  id: string,
  { page, send }: { page: (ctx: Ctx, url: URL) => string; send: (ctx: Ctx, url: URL) => Promise<Response> },
) =>
  pageAction(
    id,
    async (ctx, { form, url }): Promise<never> => {
      const { password } = parseInput(z.object({ password: anyPassword }), { password: textOf(form, 'password') })
      await requireOwnPassword(ctx, password)
      throw await send(ctx, url)
    },
    {
      refuse: (ctx, problem, { url }) => {
        // A viewer without a desk cannot open `page`, so the response is the sentence alone.
        if (problem.code === 'ROLE_FORBIDDEN') return sentence(problem, ctx.locale)
        const back = new URL(page(ctx, url), url)
        back.searchParams.set('csv', refusalInUrl(problem))
        return redirect(`${back.pathname}${back.search}`)
      },
    },
  )

/** A refusal as plain text, for when no page can show it. */
export const sentence = (problem: Problem, locale: Locale) =>
  new Response(problemDetail(problem, locale), {
    status: problem.status,
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  })
