import { redirect } from 'react-router'
import { ctxContext } from '#src/kit/context.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { pageAction, pageLoader } from '#src/kit/http/page.server.ts'
import { notFound, Problem } from '#src/kit/problem.ts'
import { exportOwnData } from './person-data.server.ts'
import { takeLimits } from '#src/accounts/sign-in/auth-forms.server.ts'

/** "Download my data": a file, by a form of the profile page. A refusal is shown at the form. */
export const action = async (args: Parameters<typeof send>[0]) => {
  const { refused } = (await send(args)).data
  return redirect(`${profileOf(args.params.userId, args.context.get(ctxContext).locale)}?data=${refused!.code}#profile-data`)
}

const send = pageAction<never>(async (ctx, { params, site, visitor }) => {
  if (!ctx.viewer) throw new Problem('AUTH_REQUIRED')
  if (params.userId !== String(ctx.viewer.id)) throw notFound()
  await takeLimits(ctx, site, visitor, 'writeMinute', 'writeDay')
  throw new Response(JSON.stringify(await exportOwnData(ctx), null, 2), {
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="sandhai-${ctx.viewer.id}.json"`,
      'Cache-Control': 'no-store',
    },
  })
})

export const loader = pageLoader(async (ctx, { params }) => {
  throw redirect(profileOf(params.userId, ctx.locale))
})

const profileOf = (userId: string | undefined, locale: Locale) => localized(`/userprofile/${encodeURIComponent(userId ?? '')}`, locale)
