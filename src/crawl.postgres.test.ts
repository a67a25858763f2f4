import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeAddress, makeReview, makeSession, makeUser } from './accounts/makers.server.ts'
import { addresses } from './accounts/tables.ts'
import { makeCartLine } from './cart/makers.server.ts'
import { makeEnquiry, makeOffer } from './enquiries/makers.server.ts'
import { enquiries } from './enquiries/tables.ts'
import { makeReply, makeThread } from './forum/makers.server.ts'
import type { Viewer } from './kit/context.ts'
import { bare, localized, type Locale } from '#src/kit/text/locale.ts'
import { makeListing, makeVaccination } from './listings/makers.server.ts'
import { makeOrder } from './orders/makers.server.ts'
import { htmlFaults } from './testing/html-standard.ts'
import { openBuiltSite, siteOrigin, textOf, type BuiltSite, type Page } from './testing/built-site.ts'
import { often } from './testing/often.ts'
import { openTestMarket, type TestMarket } from './testing/test-market.ts'
import { makeSecondLook } from './verification/makers.server.ts'

// Everybody follows every link they see, in both languages, through a market whose people write Tamil only: what is Latin is ours.

/** Of pages that differ only in a number or a name, so many are opened. */
const OF_A_KIND = often(1, 4)

let market: TestMarket
let site: BuiltSite
const kinds = {
  'a buyer': { typeId: 1, name: 'கவிதா' },
  'a seller': { typeId: 2, name: 'முருகேசன்', isVerified: true },
  'a buyer and seller': { typeId: 3, name: 'செல்வி' },
  'an agent': { typeId: 4, name: 'அன்பு' },
  'a vet': { typeId: 5, name: 'மீனா', vetApproved: true },
  'a vet who waits': { typeId: 5, name: 'அருண்' },
  'an admin': { typeId: 9, name: 'அலுவலகம்', superAdmin: true },
}
const people: Record<string, Viewer | null> = { 'nobody logged in': null }

beforeAll(async () => {
  market = await openTestMarket()
  site = await openBuiltSite(market)
  const { ctx } = market
  for (const [who, facts] of Object.entries(kinds)) people[who] = await makeUser(ctx, facts)
  const [buyer, seller, both, admin] = ['a buyer', 'a seller', 'a buyer and seller', 'an admin'].map((who) => people[who]!) as [
    Viewer,
    Viewer,
    Viewer,
    Viewer,
  ]
  const home = { name: 'வீடு', address1: 'மேற்குத் தெரு', address2: 'காங்கேயம்' }
  for (const { id } of [buyer, seller, both]) await makeAddress(ctx, id, home)
  const animal = (facts: object) =>
    makeListing(ctx, { sellerId: seller.id, name: 'காளை', nameEn: null, description: 'நல்ல காளை', stock: 5, ...facts })
  const bull = await animal({ breedId: 101 })
  await makeVaccination(ctx, { listingId: bull, vaccineId: 1, dose: 1, vaccinatedOn: '2026-09-01' })
  const goat = await animal({ categoryId: 2, breedId: 201, name: 'ஆடு' })
  await makeSecondLook(ctx, goat, { name: 'வெள்ளாடு', description: 'மிக நல்ல ஆடு' })
  await animal({ categoryId: 4, breedId: 401, name: 'கோழி', state: 'pending' })
  await animal({ name: 'பசு', state: 'failed', verificationComment: 'படம் தெளிவாக இல்லை.' })
  await animal({ name: 'எருமை', isSold: true, stock: 0 })
  const hers = await animal({ sellerId: both.id, name: 'கறவைப் பசு', breedId: 101 })
  await ctx.db.update(addresses).set(home).where(eq(addresses.name, 'Farm'))
  await makeReview(ctx, { sellerId: seller.id, reviewerId: buyer.id, stars: 5, comment: 'நேர்மையானவர்.' })
  for (const status of [1, 5, 6, 100] as const)
    await makeOrder(ctx, { buyer, seller, admin, listingId: bull, status, addressId: await makeAddress(ctx, buyer.id, home) })
  await makeCartLine(ctx, { buyerId: buyer.id, listingId: hers })
  const wanted = await makeEnquiry(ctx, { posterId: buyer.id, postedFor: 'கவிதா', description: 'கறவைப் பசு வேண்டும்.' })
  await makeOffer(ctx, wanted, hers)
  await makeEnquiry(ctx, { posterId: both.id, postedFor: 'செல்வி', description: 'ஆடு வேண்டும்.', isVerified: null })
  await ctx.db.update(enquiries).set({ verificationComment: 'பேசினோம்.' }).where(eq(enquiries.id, wanted))
  const thread = await makeThread(ctx, { authorId: buyer.id })
  await makeReply(ctx, { threadId: thread, authorId: seller.id })
})
afterAll(async () => {
  site?.close()
  await market?.close()
})

interface Seen {
  path: string
  page: Page
}

/** Where one comes to from the home page by following what is there to be followed. */
async function crawl(viewer: Viewer | null, locale: Locale): Promise<{ pages: Seen[]; dead: string[] }> {
  const session = viewer ? await makeSession(market.ctx, viewer.id) : undefined
  const queue = ['/', '/en', ...entrances].map((path) => ({ path: localized(bare(path), locale), from: 'the beginning' }))
  const opened = new Map<string, number>()
  const pages: Seen[] = []
  const dead: string[] = []
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { path, from } = next
    const kind = kindOf(path)
    const seen = opened.get(kind) ?? 0
    if (seen >= OF_A_KIND || pages.some((one) => one.path === path)) continue
    opened.set(kind, seen + 1)
    const page = await site.open(path, { lang: locale, ...(session && { session }) })
    if (page.status >= 300 && page.status < 400) {
      const to = new URL(page.headers.get('location')!, siteOrigin)
      if (to.origin === siteOrigin) queue.push({ path: to.pathname + to.search, from: path })
      continue
    }
    if (page.status !== 200) dead.push(`${page.status} ${path} (from ${from})`)
    if (!page.headers.get('content-type')?.startsWith('text/html')) continue
    pages.push({ path, page })
    for (const link of linksOf(page.html)) if (localeOf(link) === locale) queue.push({ path: link, from: path })
  }
  return { pages, dead }
}

/** Also opened by who sees no link to them. */
const entrances = ['/refcode/ABCDE12345']
/** To which no link leads that anybody may follow: they come from letters, other people's papers and half of a login, or are typed. */
const unlinked = [
  '/newsletter',
  '/newsletter/confirm?token=x',
  '/newsletter/unsubscribe?token=x',
  '/verify/ABCDEFGHJKMNPQRSTVWXYZ2345',
  '/vet-verify/1',
  '/login/code',
  '/login/second-step',
  '/logout',
  '/dev/outbox',
  '/no/such/page',
]
const kindOf = (path: string) => {
  const { pathname, searchParams } = new URL(path, siteOrigin)
  const names = [...searchParams.keys()].toSorted().join('&')
  return `${bare(pathname)
    .replace(/\/(\d+|[A-Za-z0-9_-]{20,})(?=\/|$)/g, '/*')
    .replace(/^\/breeds\/.+/, '/breeds/*')}?${names}`
}
const localeOf = (path: string): Locale => (/^\/en(\/|\?|$)/.test(path) ? 'en' : 'ta')
const linksOf = (html: string): string[] =>
  [...html.matchAll(/<a [^>]*?href="([^"]*)"/g)]
    .map(([, href]) => href!.replaceAll('&amp;', '&').replace(/#.*$/, ''))
    .filter(
      (href) =>
        href.startsWith('/') &&
        !href.startsWith('/dev/') &&
        !href.startsWith('/en/dev/') &&
        !/^\/(api|media|share|assets)\/|\/logout|[?&]lang=|\/data$/.test(href),
    )

const everybody = ['nobody logged in', ...Object.keys(kinds)]
/** All of them in both languages is a minute's work. */
const who = { ta: often(['nobody logged in', 'a buyer', 'an admin'], everybody), en: often(['a seller', 'a vet'], everybody) }

describe.each(['ta', 'en'] as const)('in %s', (locale) => {
  describe.each(who[locale])('%s', (who) => {
    let found: Awaited<ReturnType<typeof crawl>>
    beforeAll(async () => {
      found = await crawl(people[who]!, locale)
    })

    test('finds no dead link', () => {
      expect(found.dead).toEqual([])
      expect(found.pages.length).toBeGreaterThan(30)
    })

    test('finds every page in its language, with its title, description, twins and one heading', () => {
      const wrong = found.pages.flatMap(({ path, page: { html } }) => {
        const lacks = Object.entries({
          lang: new RegExp(`<html[^>]* lang="${locale}"`),
          title: /<title>[^<]{8,}<\/title>/,
          description: /<meta name="description" content="[^"]{4,}"/,
          canonical: /<link rel="canonical" href="http/,
          'ta-IN': /hrefLang="ta-IN"/i,
          'en-IN': /hrefLang="en-IN"/i,
          'x-default': /hrefLang="x-default"/i,
          'og:title': /property="og:title"/,
          'og:image': /property="og:image"/,
        }).filter(([, tag]) => !tag.test(html))
        const headings = html.match(/<h1[ >]/g)?.length ?? 0
        return [...lacks.map(([name]) => `${path}: ${name}`), ...(headings === 1 ? [] : [`${path}: ${headings} h1`])]
      })
      expect(wrong).toEqual([])
    })

    test('is sent HTML as the standard has it, also where no link leads', async () => {
      const session = people[who] ? await makeSession(market.ctx, people[who].id) : undefined
      const pages = [...found.pages]
      for (const path of unlinked.map((path) => localized(path, locale))) {
        const page = await site.open(path, { lang: locale, ...(session && { session }) })
        if (page.headers.get('content-type')?.startsWith('text/html')) pages.push({ path, page })
      }
      expect(pages.flatMap(({ path, page: { html } }) => htmlFaults(html).map((fault) => `${path}: ${fault}`))).toEqual([])
    })

    test('finds on every kind of page a title, a description and keywords that are its own', () => {
      const seen = new Map<string, string>()
      const wrong = found.pages.flatMap(({ path, page: { html } }) => {
        // The same page by another address: with a referral, with its related ones, of another kind.
        const kind = kindOf(path)
          .replace(/\?.*/, '')
          .replace(/^\/refcode\/\*|^\/refcode\/[^/]+/, '/')
          .replace('/related', '')
          .replace(/\/report\/[a-z]+/, '/report')
          .replace(/(.)\/$/, '$1')
        return ['<title>', '<meta name="description" content="', '<meta name="keywords" content="'].flatMap((tag) => {
          const text = `${tag}${html.split(tag)[1]?.split(/["<]/)[0]}`
          const other = seen.get(text) ?? kind
          seen.set(text, other)
          return other === kind ? [] : [`${kind} like ${other}: ${text}`]
        })
      })
      expect(wrong).toEqual([])
    })

    test('is sent every page whole, also the first that needs a component which is still being loaded', () => {
      expect(found.pages.flatMap(({ path, page: { html } }) => (/\$[!?]-->/.test(html) ? [path] : []))).toEqual([])
    })

    test('meets no key in place of a text, and no word that is not a text', () => {
      const wrong = found.pages.flatMap(({ path, page: { html } }) =>
        (visible(html).match(/\b[a-z]+_[a-z_]{3,}\b|\bundefined\b|\bNaN\b|\[object|\bnull\b/g) ?? []).map((word) => `${path}: ${word}`),
      )
      expect(wrong).toEqual([])
    })

    if (locale === 'ta')
      test('meets no Latin word but names and units', () => {
        const wrong = new Set(
          found.pages.flatMap(({ path, page: { html } }) =>
            (visible(html).match(/[A-Za-z]{2,}/g) ?? []).filter((word) => !known.has(word)).map((word) => `${kindOf(path)} ${word}`),
          ),
        )
        expect([...wrong]).toEqual([])
      })
    else
      test('meets no Tamil but in what people wrote', () => {
        const wrong = found.pages.flatMap(({ path, page: { html } }) =>
          /[\u0B80-\u0BFF]/.test(titleOf(html)) ? [`${path}: ${titleOf(html)}`] : [],
        )
        expect(
          wrong.filter((line) => !/\/(product|compare|seller|view-enquiry|forum|orders|userprofile|admin|review|report)/.test(line)),
        ).toEqual([])
      })
  })
})

const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1]?.replace(/· Sandhai$|சந்தை/g, '') ?? ''
/** Without templates, which show nothing, what is marked as another language's, addresses of the net, masked numbers and codes. */
const visible = (html: string) =>
  textOf(
    html
      .replace(/[\s\S]*<body[^>]*>/, '')
      .replace(/<template[\s\S]*?<\/template>/g, ' ')
      .replace(/<(\w+)[^>]* lang="en"[^>]*>[\s\S]*?<\/\1>/g, ' '),
  )
    .replaceAll('&quot;', '"')
    .replace(/https?:\/\/\S+|\S+@\S+|\b[A-Z]{2,4}-\d+\b|\b[A-Z]{2}\/\d{4}-\d{2}\/\d+|\b[A-Z0-9]{10}\b|\d+x{3,}\d+/g, ' ')

/** Names of things that have no other name in Tamil, units, and what the makers write. */
const known = new Set(
  `Sandhai WhatsApp SMS OTP PIN UPI PDF PAN API CSV JPEG PNG MB KB km kg cm GPS IGST CGST Facebook Instagram YouTube kangeyam naattu kozhi GeoNames Fluent Emoji CC BY MIT TANUVAS KVK IP Kg LSD FMD HS BQ RD FP IBD MD IB PPR ET GP TT CCPP BVSc MVSc AH THL RAB BRU AX Paid at the door Selvi`.split(
    ' ',
  ),
)
