import { listMessages } from '#src/kit/messages/outbox.server.ts'
import { pageLoader } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'

/** /dev/outbox as JSON: journeys and people who try the API read their codes and links here. */
export const loader = pageLoader(async (ctx, { site }) => {
  if (site.env.mode !== 'demo') throw notFound()
  const messages = await listMessages(ctx)
  return Response.json(
    messages.map(({ recipient, template, locale, body, sentAt }) => ({ to: recipient, template, locale, text: body, sentAt })),
    { headers: { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' } },
  )
})
