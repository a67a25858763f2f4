import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { shareBuiltSite, siteOrigin, textOf, type BuiltSite } from './built-site.ts'
import type { TestMarket } from './test-market.ts'

export type Reader = Awaited<ReturnType<typeof makeUser>> & { session: string }

/** The middle of a page as a person reads it. */
interface ReadPage {
  status: number
  /** Below the header and above the footer. */
  main: string
  text: string
  html: string
  /** The last address, after redirects. */
  path: string
  /** The first tag whose text or attributes match. */
  tag(pattern: RegExp): string
  /** The addresses of the links with exactly this text. */
  linksOf(text: string): string[]
}

/** As `shareBuiltSite`, with a reader of the site's pages. */
export function sharePages(take: (opened: { market: TestMarket; site: BuiltSite; pages: PageReader }) => unknown): void {
  shareBuiltSite(({ market, site }) => take({ market, site, pages: new PageReader(market, site) }))
}

/** Opens and sends English pages of the built site as a person's browser without scripts does. */
export class PageReader {
  readonly #market: TestMarket
  readonly #site: BuiltSite

  constructor(market: TestMarket, site: BuiltSite) {
    this.#market = market
    this.#site = site
  }

  async person(facts: Parameters<typeof makeUser>[1] = {}): Promise<Reader> {
    const user = await makeUser(this.#market.ctx, facts)
    return { ...user, session: await makeSession(this.#market.ctx, user.id) }
  }

  async open(path: string, reader: Reader | null = null): Promise<ReadPage> {
    const { status, html, headers } = await this.#site.open(path, { lang: 'en', ...(reader && { session: reader.session }) })
    const location = headers.get('location')
    return location === null ? read(path, status, html) : this.open(location, reader)
  }

  /** Sends a form and follows the redirect. */
  async send(path: string, fields: Record<string, string>, reader: Reader): Promise<ReadPage> {
    const response = await this.post(path, fields, reader)
    const location = response.headers.get('location')
    return location === null ? read(path, response.status, await response.text()) : this.open(location, reader)
  }

  /** Sends a form without following the redirect. */
  async post(path: string, fields: Record<string, string>, reader: Reader): Promise<Response> {
    const token = makeCsrfToken('test-secret', reader.session)
    return this.#site.fetch(
      new Request(siteOrigin + path, {
        method: 'POST',
        headers: { cookie: `__Host-sid=${reader.session}; __Host-csrf=${token}; lang=en`, 'Sec-Fetch-Site': 'same-origin' },
        body: new URLSearchParams({ csrf: token, ...fields }),
      }),
    )
  }
}

function read(path: string, status: number, html: string): ReadPage {
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? ''
  const links = [...html.matchAll(/<a [^>]*?href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g)]
  return {
    status,
    main,
    text: textOf(main).replaceAll('\u00a0', ' '),
    html,
    path,
    tag: (pattern) => (main.match(/<[^>]+>/g) ?? []).find((tag) => pattern.test(tag)) ?? '',
    linksOf: (text) => links.filter(([, , inner]) => textOf(inner!).trim() === text).map(([, href]) => href!.replaceAll('&amp;', '&')),
  }
}
