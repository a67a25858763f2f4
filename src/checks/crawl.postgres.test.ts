import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { makeReview } from '#src/reviews/makers.server.ts'
import { sellerReviews } from '#src/reviews/tables.ts'
import { addresses } from '#src/addresses/tables.ts'
import { bare, localized, type Locale } from '#src/kit/text/locale.ts'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeCartLine } from '#src/cart/makers.server.ts'
import { patternFinder } from '#src/server/route-patterns.ts'
import { proseSlugs } from '#src/content/prose/prose.ts'
import { makeEnquiry, makeOffer } from '#src/enquiries/makers.server.ts'
import { tickets } from '#src/content/tables.ts'
import { enquiries } from '#src/enquiries/tables.ts'
import { makeReply, makeThread } from '#src/forum/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { makeListing, makeListingClip, makeVaccination } from '#src/listings/makers.server.ts'
import { makeBearer, makeOrder } from '#src/orders/steps/makers.server.ts'
import { pageTable } from '#src/page-table.ts'
import { picturesAt } from '#src/policy.ts'
import { htmlFaults } from '#tools/test-kit/html-standard.ts'
import { shareBuiltSite, siteOrigin, textOf, type BuiltSite, type Page } from '#tools/test-kit/built-site.ts'
import { often } from '#tools/test-kit/often.ts'
import { giveOwnNumbers, readNumbers, type OthersNumbers } from '#tools/test-kit/others-numbers.ts'
import type { TestMarket } from '#tools/test-kit/test-market.ts'
import { payoutLines, payouts } from '#src/selling/tables.ts'
import { makeSecondLook } from '#src/verification/makers.server.ts'

// Crawls all links as every kind of person, in both languages. The market's people write Tamil only, so any Latin text is ours.

/** How many pages to open that differ only in an id or a name. */
const OF_A_KIND = often(1, 4)

let market: TestMarket
let site: BuiltSite
let numbers: OthersNumbers
const kinds = {
  'a buyer': { typeId: 1, name: 'கவிதா' },
  'a seller': { typeId: 2, name: 'முருகேசன்', isVerified: true },
  'a buyer and seller': { typeId: 3, name: 'செல்வி' },
  'an agent': { typeId: 4, name: 'அன்பு' },
  'a vet': { typeId: 5, name: 'மீனா', vetApproved: true },
  'a vet who waits': { typeId: 5, name: 'அருண்' },
  'an admin': { typeId: 9, name: 'அலுவலகம்', superAdmin: true },
  'an admin without powers': { typeId: 9, name: 'உதவியாளர்' },
}
const people: Record<string, Viewer | null> = { 'nobody logged in': null }

shareBuiltSite((opened) => ({ market, site } = opened))
beforeAll(async () => {
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
  const english = { nameEn: 'கறவைப் பசு', descriptionEn: 'நல்ல பசு' }
  const hers = await animal({ sellerId: both.id, name: 'கறவைப் பசு', breedId: 101, genderId: 0, milkLitresPerDay: 9, ...english })
  for (const id of [bull, hers]) await makeListingClip(ctx, id)
  await ctx.db.update(addresses).set(home).where(eq(addresses.name, 'Farm'))
  await makeReview(ctx, { sellerId: seller.id, reviewerId: buyer.id, stars: 5, comment: 'நேர்மையானவர்.' })
  await ctx.db.update(sellerReviews).set({ answer: 'நன்றி.', answeredAt: ctx.now })
  for (const status of [1, 5, 6, 100] as const)
    await makeOrder(ctx, { buyer, seller, admin, listingId: bull, status, addressId: await makeAddress(ctx, buyer.id, home) })
  await makeCartLine(ctx, { buyerId: buyer.id, listingId: hers })
  const wanted = await makeEnquiry(ctx, { posterId: buyer.id, postedFor: 'கவிதா', description: 'கறவைப் பசு வேண்டும்.' })
  await makeOffer(ctx, wanted, hers)
  await makeEnquiry(ctx, { posterId: both.id, postedFor: 'செல்வி', description: 'ஆடு வேண்டும்.', isVerified: null })
  await ctx.db.update(enquiries).set({ verificationComment: 'பேசினோம்.' }).where(eq(enquiries.id, wanted))
  const thread = await makeThread(ctx, { authorId: buyer.id })
  await makeReply(ctx, { threadId: thread, authorId: seller.id })
  await makeBearer(ctx, { name: 'வேலு' })
  const [payout] = await ctx.db.insert(payouts).values({ byId: admin.id, at: ctx.now }).returning()
  const line = { amount: 8_075_000_000n, account: 'xxxx7890', sales: [] }
  await ctx.db.insert(payoutLines).values({ ...line, payoutId: payout!.id, sellerId: seller.id, state: 'failed' })
  const question = { name: 'கவிதா', phone: '+918900000001', topic: 'order', content: 'எப்போது வரும்?', locale: 'ta' } as const
  await ctx.db.insert(tickets).values({ ...question, userId: buyer.id })
  await giveOwnNumbers(ctx)
  numbers = await readNumbers(ctx)
})

/** Pages with whole numbers of others for people who are no admins: a seller's, and that of a seller who answered one's own enquiry. */
const withSellersNumber = ['/product/* users.phone', '/product/related/* users.phone', '/view-enquiry/* users.phone']
const atPaths = (paths: string[], places: string[]) => paths.flatMap((path) => places.map((at) => `${path} ${at}`))
/** A paper has its street for everybody who may open it. Every admin sees where an animal is fetched (B §6, decisions §2). */
const withStreet = [
  ...atPaths(['/orders/*/invoice', '/orders/*/invoice.json'], ['orders.delivery', 'orders.pickup']),
  '/orders orders.pickup',
  ...['/admin/verification', '/admin/verification/*', '/product/*', '/product/related/*'].map((path) => `${path} addresses.address_1`),
]

/** Numbers in texts that only logged-in people read, as docs/rules.md says: of animals, with the seller's number, and of the forum. */
const inForum = [
  '/forum threads.content',
  '/forum/thread/*/replies threads.content',
  '/forum/thread/*/replies replies.content',
  '/forum/report/thread/* threads.content',
  '/forum/report/reply/* replies.content',
]
const ofAnimals = ['description', 'description_en', 'name', 'name_en'].map((column) => `listings.${column}`)
const inTexts = [
  ...atPaths(['/product/*', '/product/related/*'], [...ofAnimals, 'listing_clips.caption', 'vet_checks.comments']),
  ...inForum,
]
/** The desks decide on a text as it was written. */
const atDesks = [
  ...atPaths(
    ['/admin', '/admin/users/*', '/admin/verification', '/admin/verification/*', '/admin/second-looks'],
    [...ofAnimals, 'listing_clips.caption'],
  ),
  ...atPaths(['/seller-product/*/edit', '/seller-product/*/proofs'], [...ofAnimals, 'listing_clips.caption']),
  ...['/admin', '/admin/enquiries', '/admin/users/*'].map((path) => `${path} enquiries.description`),
  ...['threads', 'replies'].map((table) => `/admin/forum ${table}.content`),
  ...inForum,
]

interface Seen {
  path: string
  page: Page
}

interface Crawl {
  pages: Seen[]
  /** Texts that are no pages, and pages that no link leads to. */
  others: Seen[]
  dead: string[]
  /** Addresses that links lead to, also of files. */
  linked: Set<string>
}

const crawls = new Map<string, Promise<Crawl>>()
function crawlOnce(who: string, locale: Locale): Promise<Crawl> {
  const key = `${who} ${locale}`
  const found = crawls.get(key) ?? crawl(people[who]!, locale)
  crawls.set(key, found)
  return found
}

/** Follows all links from the home page. */
async function crawl(viewer: Viewer | null, locale: Locale): Promise<Crawl> {
  const session = viewer ? await makeSession(market.ctx, viewer.id) : undefined
  const queue = ['/', '/en', ...entrances].map((path) => ({ path: localized(bare(path), locale), from: 'the beginning' }))
  const opened = new Map<string, number>()
  const pages: Seen[] = []
  const others: Seen[] = []
  const dead: string[] = []
  const linked = new Set<string>()
  for (let next = queue.shift(); next; next = queue.shift()) {
    const { path, from } = next
    linked.add(bare(new URL(path, siteOrigin).pathname))
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
    const isPage = page.headers.get('content-type')?.startsWith('text/html') ?? false
    ;(isPage ? pages : others).push({ path, page })
    if (!isPage) continue
    for (const link of linksOf(page.html)) if (localeOf(link) === locale) queue.push({ path: link, from: path })
  }
  for (const path of [...[...unlinked, ...files].map((path) => localized(path, locale)), ...answers])
    others.push({ path, page: await site.open(path, { lang: locale, ...(session && { session }) }) })
  return { pages, others, dead, linked }
}

/** Opened as well, although no link leads there for this person. */
const entrances = ['/refcode/ABCDE12345']
/**
 * No link that everybody may follow leads to these: they are opened from letters, from other people's papers, in the middle of a login, or
 * by typing.
 */
const unlinked = [
  '/newsletter',
  '/newsletter/confirm?token=x',
  '/newsletter/unsubscribe?token=x',
  '/verify/ABCDEFGHJKMNPQRSTVWXYZ2345',
  '/vet-verify/1',
  '/login/code',
  '/login/second-step',
  '/consent',
  '/logout',
  '/dev/outbox',
  '/no/such/page',
]
/** Files for their owner or for the office; to some the address alone answers with a redirect to its form. */
const files = [
  '/orders.csv',
  '/earnings.csv',
  '/earnings.pdf',
  '/seller-product.csv',
  ...[1, 2, 3, 4].flatMap((id) => [`/orders/${id}/invoice`, `/orders/${id}/invoice.json`, `/userprofile/${id}/data`]),
  '/admin/money/month.csv',
  '/admin/money/month.pdf',
  '/admin/money/payout.csv',
]
const answers = ['/api/v1/saleinvoice/orderid=1', '/api/v1/productproofs/id=1']
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

/** The contents of pages with valid HTML. */
const valid = new Set<string>()
const contentOf = (html: string) => html.replace(/^[\s\S]*<main/, '').replace(/ nonce="[^"]*"|<script[\s\S]*?<\/script>/g, '')

const everybody = ['nobody logged in', ...Object.keys(kinds)]
/** All kinds of people in both languages take a minute. */
const who = {
  ta: often(['nobody logged in', 'a buyer', 'an admin'], everybody),
  en: often(['a seller', 'a vet', 'an admin without powers'], everybody),
}

describe.each(['ta', 'en'] as const)('in %s', (locale) => {
  describe.each(who[locale])('%s', (who) => {
    let found: Crawl
    beforeAll(async () => {
      found = await crawlOnce(who, locale)
    })

    test('finds no dead link', () => {
      expect(found.dead).toEqual([])
      expect(found.pages.length).toBeGreaterThan(30)
    })

    test('finds every page in its language, with title, description, alternates and one heading', () => {
      const wrong = found.pages.flatMap(({ path, page: { html } }) => {
        const lacks = Object.entries({
          lang: new RegExp(`<html[^>]* lang="${locale}"`),
          title: /<title>[^<]{8,}<\/title>/,
          description: /<meta name="description" content="[^"]{4,}"/,
          keywords: /<meta name="keywords" content="[^"]{4,}"/,
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

    test('gets valid HTML, also on pages that no link leads to', () => {
      const isHtml = ({ page }: Seen) => page.headers.get('content-type')?.startsWith('text/html')
      const pages = [...found.pages, ...found.others].filter(isHtml)
      const wrong = pages.flatMap(({ path, page: { html } }, index) => {
        const content = contentOf(html)
        // Validation takes most of this test's time. The first page of each person stands for the frame.
        if (index > 0 && valid.has(content)) return []
        const faults = htmlFaults(html)
        if (faults.length === 0) valid.add(content)
        return faults.map((fault) => `${path}: ${fault}`)
      })
      expect(wrong).toEqual([])
    })

    test('finds on every kind of page its own title, description and keywords', () => {
      const seen = new Map<string, string>()
      const wrong = found.pages.flatMap(({ path, page: { html } }) => {
        // One page at several addresses: with a referral, with its related ones, of another kind.
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

    test('gets every page complete, even the first that waits for a lazy component', () => {
      expect(found.pages.flatMap(({ path, page: { html } }) => (/\$[!?]-->/.test(html) ? [path] : []))).toEqual([])
    })

    test('can send a photo with every form that asks for one', () => {
      const forms = found.pages.flatMap(({ path, page: { html } }) =>
        (html.match(/<form [^>]*multipart\/form-data[^>]*>/gi) ?? []).map(
          (form) => new URL(/ action="([^"]+)"/.exec(form)?.[1]?.replaceAll('&amp;', '&') ?? path, siteOrigin + path).pathname,
        ),
      )
      expect(forms.filter((path) => picturesAt('POST', path) === 0)).toEqual([])
      if (who === 'an admin') expect(forms.map(bare)).toContain('/admin/bearers')
    })

    test('sees whole phone numbers of other people only where the market shows them to such a person', () => {
      const seen = new Set<string>()
      for (const { path, page } of [...found.pages, ...found.others])
        for (const place of numbers.in(page.html, people[who]!)) seen.add(`${kindOf(path).replace(/\?.*/, '')} ${place}`)
      if (who === 'an admin') return expect(seen.size).toBeGreaterThan(5)
      const mayShow =
        who === 'an admin without powers' ? [...withStreet, ...atDesks] : people[who] ? [...withSellersNumber, ...inTexts] : []
      // The messages of a demo are for whoever tries it.
      expect([...seen].filter((each) => ![...mayShow, '/dev/outbox users.phone'].includes(each))).toEqual([])
    })

    test('sees no message key in place of a text, and no leftover of code', () => {
      const wrong = found.pages.flatMap(({ path, page: { html } }) =>
        (visible(html).match(/\b[a-z]+_[a-z_]{3,}\b|\bundefined\b|\bNaN\b|\[object|\bnull\b/g) ?? []).map((word) => `${path}: ${word}`),
      )
      expect(wrong).toEqual([])
    })

    if (locale === 'ta')
      test('sees no Latin word except names and units', () => {
        const wrong = new Set(
          found.pages.flatMap(({ path, page: { html } }) =>
            (visible(html).match(/[A-Za-z]{2,}/g) ?? []).filter((word) => !known.has(word)).map((word) => `${kindOf(path)} ${word}`),
          ),
        )
        expect([...wrong]).toEqual([])
      })
    else
      test('sees no Tamil except in what people wrote', () => {
        const wrong = found.pages.flatMap(({ path, page: { html } }) =>
          /[\u0B80-\u0BFF]/.test(titleOf(html)) ? [`${path}: ${titleOf(html)}`] : [],
        )
        expect(
          wrong.filter(
            (line) => !/\/(product|compare|seller|vet-verify|view-enquiry|forum|orders|userprofile|admin|review|report)/.test(line),
          ),
        ).toEqual([])
      })
  })
})

/** Pages that need no link: people reach them in another way. */
const reachedOtherwise = new Set([
  // From a message or a paper.
  '/newsletter/confirm',
  '/newsletter/unsubscribe',
  '/owner',
  '/owner/:code',
  '/bring/:token',
  '/verify/:code',
  // By a form or a redirect.
  '/newsletter',
  '/listing-question/:listingId',
  '/admin/find',
  '/admin/users/bulk',
  '/login/code',
  '/login/second-step',
  '/consent',
  // By a script: on the phone, without a connection.
  '/offline',
  // Files and pictures, and what this test does not open (`linksOf`).
  '/orders.csv',
  '/orders/:orderId/invoice.json',
  '/admin/money/month.csv',
  '/admin/money/month.pdf',
  '/admin/money/payout.csv',
  '/terms/page/:number',
  '/userprofile/:userId/data',
  '/logout',
  '/dev/outbox',
  '/dev/outbox.json',
])

test('a link leads to every page and every text', async () => {
  const linked = new Set<string>()
  for (const locale of ['ta', 'en'] as const)
    for (const each of who[locale]) for (const path of (await crawlOnce(each, locale)).linked) linked.add(path)
  const patternOf = patternFinder(pageTable.map(({ path }) => `en?/${path}`))
  const patterns = new Set([...linked].map((path) => patternOf(path)))
  const pages = pageTable.map(({ path }) => `/${path}`).filter((path) => path !== '/:page' && !reachedOtherwise.has(path))
  expect([...pages, ...proseSlugs.map((slug) => `/${slug}`)].filter((path) => !patterns.has(path))).toEqual([])
})

const titleOf = (html: string) => /<title>([^<]*)<\/title>/.exec(html)?.[1]?.replace(/· Sandhai$|சந்தை/g, '') ?? ''
/** The visible text: without templates, text marked as another language, web addresses, masked numbers and codes. */
const visible = (html: string) =>
  textOf(
    html
      .replace(/[\s\S]*<body[^>]*>/, '')
      .replace(/<template[\s\S]*?<\/template>/g, ' ')
      .replace(/<(\w+)[^>]* lang="en"[^>]*>[\s\S]*?<\/\1>/g, ' '),
  )
    .replaceAll('&quot;', '"')
    .replace(/https?:\/\/\S+|\S+@\S+|\b[A-Z]{2,4}-\d+\b|\b[A-Z]{2}\/\d{4}-\d{2}\/\d+|\b[A-Z0-9]{10}\b|\d*x{3,}\d+/g, ' ')

/** Names without another form in Tamil, units, texts of the makers, and the password of the sample people. */
const known = new Set(
  `Sandhai WhatsApp SMS OTP PIN UPI PDF PAN API CSV JPEG PNG MB KB km kg cm GPS IGST CGST Facebook Instagram YouTube kangeyam naattu kozhi GeoNames Fluent Emoji CC BY MIT TANUVAS KVK IP Kg LSD FMD HS BQ RD FP IBD MD IB PPR ET GP TT CCPP BVSc MVSc AH THL RAB BRU AX Paid at the door Selvi sandhai demo xxxxx`.split(
    ' ',
  ),
)
