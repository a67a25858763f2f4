import { sql, type SQL } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '../accounts/makers.server.ts'
import type { Ctx, Viewer } from '../kit/context.ts'
import { COUNT_UP_TO } from '#src/kit/http/pagination.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { getThread, listReplies, listThreads, PAGE_SIZE, REPLIES_PAGE } from './queries.server.ts'
import type { Sort } from './limits.ts'
import { searchVectorOf } from './search.server.ts'

const THREADS = 10_000
const REPLIES_OF_ONE = 3000

let market: TestMarket
let reader: Viewer
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  reader = await makeUser(market.ctx)
  const authors: number[] = []
  for (let n = 0; n < 5; n++) authors.push((await makeUser(market.ctx, { name: `Author ${n}` })).id)
  // Every discussion mentions cows; one in a hundred also mentions fever, and three an owl.
  const [cows, fever, owl] = ['மாடு', 'மாட்டுக்குக் காய்ச்சல்', 'ஆந்தை owl'].map(searchVectorOf)
  await market.ctx.db.execute(sql`
    insert into threads (author_id, content, content_hash, state, created_at, likes_count, last_post_at, search_keys)
    select (${sql.param(`{${authors.join(',')}}`)}::bigint[])[1 + n % 5], 'Discussion ' || n, sha256(n::text::bytea),
      case when n % 50 = 0 then 'hidden' else 'shown' end, now() - make_interval(secs => n), n % 97, now(),
      (case when n % 3333 = 1 then ${owl}::tsvector when n % 100 = 7 then ${fever}::tsvector else ${cows}::tsvector end)
    from generate_series(1, ${THREADS}::int) n`)
  await market.ctx.db.execute(sql`
    insert into replies (author_id, content, content_hash, state, thread_id)
    select ${authors[0]}::bigint, 'Reply ' || n, sha256(n::text::bytea), 'shown', 1 from generate_series(1, ${REPLIES_OF_ONE}::int) n`)
  await market.ctx.db.execute(
    sql`insert into thread_likes (thread_id, user_id) select id, ${reader.id}::bigint from threads where id % 2 = 0`,
  )
  // Autovacuum does this after so many new rows.
  await market.owner.execute(sql`select gin_clean_pending_list('threads_search')`)
  for (const table of ['threads', 'replies', 'thread_likes', 'users']) await market.owner.execute(sql.raw(`analyze ${table}`))
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

/** Returns the plan of each statement of an act. */
async function plansOf(act: (ctx: Ctx) => Promise<unknown>): Promise<Plan[][]> {
  const statements: Plan[][] = []
  const ctx = market.as(reader)
  const execute = async (query: SQL) => {
    const { rows } = (await ctx.db.execute(sql`explain (analyze, format json) ${query}`)) as unknown as {
      rows: { 'QUERY PLAN': { Plan: Plan }[] }[]
    }
    statements.push(flat(rows[0]!['QUERY PLAN'][0]!.Plan))
    return ctx.db.execute(query)
  }
  await act({ ...ctx, db: { execute } as never })
  return statements
}
const flat = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(flat)]
const readOf = (plans: Plan[], table: RegExp) =>
  plans
    .filter((plan) => table.test(plan['Relation Name'] ?? plan['Index Name'] ?? ''))
    .reduce((sum, plan) => sum + (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'], 0)
const scansWhole = (plans: Plan[], table: string) =>
  plans.some((plan) => plan['Node Type'] === 'Seq Scan' && plan['Relation Name'] === table)

const page = (sort: Sort, text = '', after: string | null = null) => ({ sort, text, after, top: PAGE_SIZE })

describe(`with ${THREADS} discussions`, () => {
  test.each<[Sort, string]>([
    ['newest', 'threads_newest'],
    ['liked', 'threads_liked'],
  ])('the %s take one statement along %s on every page, and read few rows', async (sort, index) => {
    const first = await listThreads(market.as(reader), page(sort))
    for (const after of [null, first.next]) {
      const statements = await plansOf((ctx) => listThreads(ctx, page(sort, '', after)))
      expect(statements).toHaveLength(1)
      const [plans] = statements
      expect(plans!.map((plan) => plan['Index Name'])).toContain(index)
      // The count stops at its limit; the page itself takes its rows and one more.
      expect(readOf(plans!, /^threads/)).toBeLessThanOrEqual(COUNT_UP_TO + 3 * PAGE_SIZE)
      expect(readOf(plans!, /^thread_likes/)).toBeLessThanOrEqual(PAGE_SIZE + 1)
    }
    expect(first).toMatchObject({ count: COUNT_UP_TO, isFirst: true })
  })

  test.each([
    ['owl', 3],
    ['காய்ச்சல்', 100],
  ])('a search for %s reads only its matches', async (text, found) => {
    const [plans, ...more] = await plansOf((ctx) => listThreads(ctx, page('newest', text)))
    expect(more).toEqual([])
    expect(plans!.map((plan) => plan['Index Name'])).toContain('threads_search')
    expect(scansWhole(plans!, 'threads')).toBe(false)
    // Counted and listed, through the index and the rows.
    expect(readOf(plans!, /^threads/)).toBeLessThanOrEqual(6 * found + 10)
    expect((await listThreads(market.as(reader), page('newest', text))).count).toBe(found)
  })

  test('a search that matches nearly all reads no more than the list', async () => {
    const [plans] = await plansOf((ctx) => listThreads(ctx, page('newest', 'cow')))
    expect(readOf(plans!, /^threads_newest|^threads$/)).toBeLessThanOrEqual(3 * THREADS)
    const { threads, count } = await listThreads(market.as(reader), page('newest', 'cow'))
    expect([threads.length, count]).toEqual([PAGE_SIZE, COUNT_UP_TO])
  })

  test('paging by cursor returns each once', async () => {
    const seen: number[] = []
    let after: string | null = null
    for (let n = 0; n < 6; n++) {
      const { threads, next }: Awaited<ReturnType<typeof listThreads>> = await listThreads(market.as(reader), page('liked', '', after))
      seen.push(...threads.map(({ id }) => id))
      after = next
    }
    expect(new Set(seen).size).toBe(6 * PAGE_SIZE)
  })

  test(`${REPLIES_OF_ONE} replies to one of them are read page by page, from the start or up to one reply`, async () => {
    const first = await listReplies(market.as(reader), 1, { top: REPLIES_PAGE })
    expect(first.replies.map(({ content }) => content).slice(0, 2)).toEqual(['Reply 1', 'Reply 2'])
    expect(first).toMatchObject({ isFirst: true, next: first.replies.at(-1)!.id })
    const second = await listReplies(market.as(reader), 1, { after: first.next, top: REPLIES_PAGE })
    expect([second.replies[0]!.content, second.isFirst]).toEqual([`Reply ${REPLIES_PAGE + 1}`, false])
    const at = first.replies[0]!.id + REPLIES_OF_ONE - 1
    const last = await listReplies(market.as(reader), 1, { upTo: at, top: REPLIES_PAGE })
    expect([last.replies.at(-1)!.content, last.replies.length, last.isFirst, last.next]).toEqual([
      `Reply ${REPLIES_OF_ONE}`,
      REPLIES_PAGE,
      false,
      null,
    ])
    const middle = await listReplies(market.as(reader), 1, { upTo: at - 1, top: REPLIES_PAGE })
    expect(middle.next).toBe(at - 1)
    for (const choice of [{ after: first.next }, { upTo: at }]) {
      const [plans] = await plansOf((ctx) => listReplies(ctx, 1, { ...choice, top: REPLIES_PAGE }))
      expect(scansWhole(plans!, 'replies')).toBe(false)
      expect(readOf(plans!, /^replies/)).toBeLessThanOrEqual(2 * REPLIES_PAGE)
    }
  })

  test('one is found by its id, with the reader’s own like', async () => {
    const [plans] = await plansOf((ctx) => getThread(ctx, 2))
    expect(scansWhole(plans!, 'threads')).toBe(false)
    expect(await getThread(market.as(reader), 2)).toMatchObject({ id: 2, isLiked: true, state: 'shown' })
    expect(await getThread(market.as(reader), 3)).toMatchObject({ isLiked: false })
  })
})
