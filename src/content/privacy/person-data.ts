import { redirect } from 'react-router'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { refusalInUrl } from '#src/kit/problem-text.ts'
import { download } from '#src/kit/http/download.server.ts'
import { pageAction, pageLoader } from '#src/kit/http/page.server.ts'
import { notFound } from '#src/kit/base/problem.ts'
import { requireLoggedIn } from '#src/accounts/policy.ts'
import { exportOwnData } from './person-data.server.ts'

/** "Download my data": a form of the profile page returns the file. The form shows a refusal. */
export const action = pageAction(
  'person-data',
  async (ctx, { params }): Promise<never> => {
    const { id } = requireLoggedIn(ctx)
    if (params.userId !== String(id)) throw notFound()
    throw download(`sandhai-${id}.json`, JSON.stringify(await exportOwnData(ctx), null, 2))
  },
  { refuse: (ctx, problem, { params }) => redirect(`${profileOf(params.userId, ctx.locale)}?data=${refusalInUrl(problem)}#profile-data`) },
)

export const loader = pageLoader(async (ctx, { params }) => {
  throw redirect(profileOf(params.userId, ctx.locale))
})

const profileOf = (userId: string | undefined, locale: Locale) => localized(`/userprofile/${encodeURIComponent(userId ?? '')}`, locale)
