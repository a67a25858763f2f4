import { bare } from '#src/kit/locale.ts'
import { formHeaders, formLoader, pageAction } from '#src/kit/page.server.ts'
import { problemText } from '#src/kit/problem-text.ts'
import { canonicalPath, pageMeta } from '#src/kit/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocale, useLocalPath } from '#src/ui/language.ts'
import { confirmNewsletter, stopNewsletter } from './commands.server.ts'
import { linkPath } from './newsletter-links.server.ts'
import { findSubscriber, type MailLink } from './queries.server.ts'
import type { Route } from './+types/newsletter-link-page'

/** Both links of the newsletter's mail come here. Mail scanners open links, so opening changes nothing: a person presses. */
export const loader = formLoader(
  async (ctx, { url, site: { env } }) => {
    const link = readLink(url)
    const subscriber = await findSubscriber(ctx, link, env.secret)
    return {
      purpose: link.purpose,
      subscriber: subscriber && { email: subscriber.email, isSubscribed: subscriber.isSubscribed },
      stopPath: subscriber && linkPath(env.secret, 'unsubscribe', subscriber),
      path: canonicalPath(url.pathname),
      locale: ctx.locale,
      origin: ctx.publicOrigin,
    }
  },
  ({ subscriber }) => (subscriber ? 200 : 404),
)

export const action = pageAction(async (ctx, { url, site: { env } }) => {
  const link = readLink(url)
  const { email } = await (link.purpose === 'confirm' ? confirmNewsletter : stopNewsletter)(ctx, link, env.secret)
  return { email }
})

function readLink(url: URL): MailLink {
  const purpose = /^\/newsletter\/confirm/i.test(bare(url.pathname)) ? 'confirm' : 'unsubscribe'
  return { purpose, id: url.searchParams.get('id') ?? '', token: url.searchParams.get('token') ?? '' }
}

export const headers = formHeaders

const titleOf = (purpose: MailLink['purpose']) => (purpose === 'confirm' ? m.newsletter_confirm_title() : m.newsletter_stop_title())

export const meta = ({ loaderData }: Route.MetaArgs) =>
  loaderData
    ? pageMeta({
        path: loaderData.path,
        title: titleOf(loaderData.purpose),
        description: m.newsletter_lead(),
        keywords: m.home_keywords(),
        locale: loaderData.locale,
        origin: loaderData.origin,
        siteName: m.site_name(),
        noIndex: true,
      })
    : []

export default function NewsletterLinkPage({ loaderData, actionData }: Route.ComponentProps) {
  const locale = useLocale()
  const { purpose, subscriber } = loaderData
  const refused = actionData?.refused
  return (
    <div className="mx-auto max-w-xl py-6">
      <h1 className="text-2xl">{titleOf(purpose)}</h1>
      {refused && refused.code !== 'NOT_FOUND' && (
        <p role="alert" className="mt-4 rounded-control bg-brick-soft p-3 font-semibold text-brick">
          {problemText(refused.code, locale)}
        </p>
      )}
      {!subscriber ? (
        <Answer text={m.newsletter_link_bad()} link={{ path: '/newsletter', label: m.newsletter_title() }} />
      ) : purpose === 'confirm' ? (
        <Confirm {...loaderData} email={subscriber.email} isSubscribed={subscriber.isSubscribed} isDone={actionData?.done !== undefined} />
      ) : subscriber.isSubscribed ? (
        <Question text={m.newsletter_stop_text({ email: subscriber.email })} button={m.newsletter_stop_submit()} csrf={loaderData.csrf} />
      ) : actionData?.done ? (
        <Answer text={m.newsletter_stop_done({ email: subscriber.email })} link={{ path: '/newsletter', label: m.newsletter_again() }} />
      ) : (
        <Question text={m.newsletter_stop_text({ email: subscriber.email })} button={m.newsletter_stop_submit()} csrf={loaderData.csrf} />
      )}
    </div>
  )
}

function Confirm(page: { email: string; isSubscribed: boolean; isDone: boolean; stopPath: string | null; csrf: string }) {
  const { email } = page
  if (!page.isSubscribed)
    return <Question text={m.newsletter_confirm_text({ email })} button={m.newsletter_confirm_submit()} csrf={page.csrf} />
  return (
    <Answer
      text={page.isDone ? m.newsletter_confirm_done({ email }) : m.newsletter_confirm_already({ email })}
      link={{ path: page.stopPath!, label: m.newsletter_stop_title() }}
    />
  )
}

/** Posts to the page's own address, which holds the link's token. */
function Question({ text, button, csrf }: { text: string; button: string; csrf: string }) {
  return (
    <form method="post" className="panel mt-6 p-4">
      <p>{text}</p>
      <input type="hidden" name="csrf" value={csrf} />
      <button type="submit" className="button-primary mt-4">
        {button}
      </button>
    </form>
  )
}

function Answer({ text, link }: { text: string; link: { path: string; label: string } }) {
  const to = useLocalPath()
  return (
    <div className="panel mt-6 p-4">
      <p role="status">{text}</p>
      <a href={to(link.path)} className="button-plain mt-4">
        {link.label}
      </a>
    </div>
  )
}
