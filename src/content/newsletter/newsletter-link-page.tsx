import { bare } from '#src/kit/text/locale.ts'
import { formHeaders, formLoader, pageAction } from '#src/kit/http/page.server.ts'
import { canonicalPath } from '#src/kit/http/seo.ts'
import { m } from '#src/paraglide/messages.js'
import { useLocalPath } from '#src/ui/language.ts'
import { PostForm } from '#src/ui/post-form.tsx'
import { confirmNewsletter, stopNewsletter } from './commands.server.ts'
import { linkPath } from './newsletter-links.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { findSubscriber, type MailLink, type Subscriber } from './queries.server.ts'
import type { Route } from './+types/newsletter-link-page'

/** The page behind both links of the newsletter's mail. Mail scanners open links, so opening changes nothing: a person presses a button. */
export const loader = formLoader(
  async (ctx, { url, site: { env } }) => {
    const link = readLink(url)
    const subscriber = await findSubscriber(ctx, link, env.secret)
    return {
      stage: stageOf(link.purpose, subscriber),
      email: subscriber?.email ?? '',
      stopPath: subscriber && linkPath(env.secret, 'unsubscribe', subscriber),
      path: canonicalPath(url.pathname),
    }
  },
  ({ stage }) => (stage === 'bad' || stage === 'used' ? 404 : 200),
)

export const action = pageAction('newsletter-confirm', async (ctx, { url, site: { env } }) => {
  const link = readLink(url)
  await (link.purpose === 'confirm' ? confirmNewsletter : stopNewsletter)(ctx, link, env.secret)
  return true
})

function readLink(url: URL): MailLink {
  const purpose = /^\/newsletter\/confirm/i.test(bare(url.pathname)) ? 'confirm' : 'unsubscribe'
  return { purpose, id: url.searchParams.get('id') ?? '', token: url.searchParams.get('token') ?? '' }
}

/** States of a link: invalid, used, a question, or the result (subscribed, unsubscribed). */
type Stage = 'bad' | 'used' | 'ask-confirm' | 'on' | 'ask-stop' | 'off'

function stageOf(purpose: MailLink['purpose'], subscriber: Subscriber | null): Stage {
  if (!subscriber) return 'bad'
  if (purpose === 'confirm') return ({ waiting: 'ask-confirm', subscribed: 'on', left: 'used' } as const)[subscriber.state]
  return subscriber.hasStopped ? 'off' : 'ask-stop'
}

const titles: Record<Stage, () => string> = {
  bad: m.newsletter_title,
  used: m.newsletter_used_title,
  'ask-confirm': m.newsletter_confirm_title,
  on: m.newsletter_on_title,
  'ask-stop': m.newsletter_stop_title,
  off: m.newsletter_off_title,
}

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>((page) => ({
  path: page.path,
  title: titles[page.stage](),
  description: m.newsletter_lead(),
}))

export default function NewsletterLinkPage({ loaderData, actionData }: Route.ComponentProps) {
  const { stage, email } = loaderData
  const isDone = actionData?.done !== undefined
  const refused = actionData?.refused
  const again = `/newsletter?${new URLSearchParams({ email })}`
  return (
    <div className="mx-auto max-w-xl py-6">
      <h1 className="text-2xl">{titles[stage]()}</h1>
      {refused && refused.code !== 'NOT_FOUND' && (
        <p role="alert" className="failure mt-4">
          {refused.detail}
        </p>
      )}
      {stage === 'bad' && <Answer text={m.newsletter_link_bad()} path="/newsletter" label={m.newsletter_again()} />}
      {stage === 'used' && <Answer text={m.newsletter_link_used({ email })} path={again} label={m.newsletter_again()} />}
      {stage === 'ask-confirm' && <Question text={m.newsletter_confirm_text({ email })} button={m.newsletter_confirm_submit()} />}
      {stage === 'on' && (
        <Answer
          text={isDone ? m.newsletter_confirm_done({ email }) : m.newsletter_confirm_already({ email })}
          path={loaderData.stopPath!}
          label={m.newsletter_stop_title()}
        />
      )}
      {stage === 'ask-stop' && <Question text={m.newsletter_stop_text({ email })} button={m.newsletter_stop_submit()} />}
      {stage === 'off' && <Answer text={m.newsletter_stop_done({ email })} path={again} label={m.newsletter_again()} />}
    </div>
  )
}

/** Posts to the page's own address, which holds the link's token. */
function Question({ text, button }: { text: string; button: string }) {
  return (
    <PostForm reloadDocument className="panel mt-6 p-4">
      <p>{text}</p>
      <button type="submit" className="button-primary mt-4">
        {button}
      </button>
    </PostForm>
  )
}

function Answer({ text, path, label }: { text: string; path: string; label: string }) {
  const to = useLocalPath()
  return (
    <div className="panel mt-6 p-4">
      <p role="status">{text}</p>
      <a href={to(path)} className="button-plain mt-4">
        {label}
      </a>
    </div>
  )
}
