import { sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { can, requireCan } from '#src/accounts/policy.ts'
import type { Ctx } from '#src/kit/context.ts'
import { epochMs, momentShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { nameIn } from '#src/listings/fields/name-in.server.ts'

/** The groups of events that an admin can choose. */
export const timelineGroups = ['account', 'listings', 'orders', 'reports', 'talk'] as const
export type TimelineGroup = (typeof timelineGroups)[number]

const kindsOf = {
  account: ['registered', 'audit'],
  listings: ['listed', 'verdict', 'vet-check'],
  orders: ['bought', 'sold'],
  reports: ['reported', 'was-reported', 'flagged', 'was-flagged'],
  talk: ['enquiry', 'offer', 'thread', 'reply', 'reviewed', 'was-reviewed', 'ticket'],
} as const satisfies Record<TimelineGroup, readonly string[]>
export type TimelineKind = (typeof kindsOf)[TimelineGroup][number]

export const EVENTS_PER_PAGE = 30
/** Signs shown of a post or a ticket, enough to recognise it. */
const TITLE_LENGTH = 100

const eventRow = z.object({
  kind: z.enum(Object.values(kindsOf).flat()),
  at: momentShape,
  /** For example an animal's name, or the first words of a post. */
  title: z.string(),
  /** A reason, a comment or a number, depending on the kind. */
  note: z.string(),
  /** "passed", an order's status, stars, or the name of the audit event. */
  state: z.string(),
  /** The page that shows it, without the language prefix; empty when there is none. */
  path: z.string(),
  /** The one who did it, if not the person: an admin, a reporter. Null for the market itself. */
  otherId: z.number().nullable(),
  otherName: z.string().nullable(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
export type TimelineEvent = z.output<typeof eventRow>

interface Branch {
  at: SQL
  id: SQL
  from: SQL
  title?: SQL
  note?: SQL
  state?: SQL
  path?: SQL
  other?: SQL
  details?: SQL
}

const text = (column: SQL) => sql`left(${column}, ${TITLE_LENGTH}::int)`

/** SQL fragments that the branches share: the person, and an animal's title and path. */
interface Parts {
  ctx: Ctx
  person: SQL
  animal: SQL
  listingPath: SQL
  /** Includes who viewed the person. */
  hasReads: boolean
}
type Branches<Group extends TimelineGroup> = Record<(typeof kindsOf)[Group][number], Branch>

// One select for each kind of event; all use an index on the person.

function accountBranches({ person, hasReads }: Parts): Branches<'account'> {
  const withoutReads = hasReads ? sql`` : sql`and a.event <> 'sensitive_read'`
  return {
    registered: { at: sql`n.created_at`, id: sql`n.id`, from: sql`users n where n.id = ${person}` },
    audit: {
      at: sql`a.at`,
      id: sql`a.id`,
      // Skip `user_created`: the account row gives the time of registration, also for people without an event in the trail.
      from: sql`audit_events a where a.object = 'user:' || ${person} and a.event <> 'user_created' ${withoutReads}`,
      state: sql`a.event`,
      other: sql`a.actor_id`,
      details: sql`a.details`,
    },
  }
}

const listingBranches = ({ person, animal, listingPath }: Parts): Branches<'listings'> => ({
  listed: { at: sql`l.created_at`, id: sql`l.id`, from: sql`listings l where l.seller_id = ${person}`, title: animal, path: listingPath },
  verdict: {
    at: sql`v.created_at`,
    id: sql`v.id`,
    from: sql`listings l join verifications v on v.listing_id = l.id where l.seller_id = ${person}`,
    title: animal,
    note: sql`v.comment`,
    state: sql`case when v.passed then 'passed' else 'failed' end`,
    path: listingPath,
    other: sql`v.admin_id`,
  },
  'vet-check': {
    at: sql`c.created_at`,
    id: sql`c.id`,
    from: sql`vet_checks c join listings l on l.id = c.listing_id where c.vet_id = ${person}`,
    title: animal,
    note: text(sql`c.comments`),
    state: sql`case when c.approved then 'passed' else 'failed' end`,
    path: listingPath,
  },
})

function orderBranches({ ctx, person }: Parts): Branches<'orders'> {
  const order = (side: SQL): Branch => ({
    at: sql`o.created_at`,
    id: sql`o.id`,
    from: sql`orders o where ${side} = ${person}`,
    title: ctx.locale === 'en' ? sql`coalesce(o.animal->>'nameEn', o.animal->>'name')` : sql`o.animal->>'name'`,
    note: sql`o.order_no`,
    state: sql`o.status::text`,
    path: sql`'/orders?q=' || o.order_no`,
  })
  return {
    bought: { ...order(sql`o.buyer_id`), other: sql`o.seller_id` },
    sold: { ...order(sql`o.seller_id`), other: sql`o.buyer_id` },
  }
}

function reportBranches({ person, animal, listingPath }: Parts): Branches<'reports'> {
  const reported = (side: SQL, other: SQL): Branch => ({
    at: sql`r.created_at`,
    id: sql`r.id`,
    from: sql`reports r left join listings l on l.id = r.listing_id where ${side} = ${person}`,
    title: sql`coalesce(${animal}, '')`,
    note: sql`r.reason || ':' || r.comment`,
    state: sql`coalesce(r.outcome, '')`,
    path: sql`coalesce(${listingPath}, '/seller/' || r.seller_id)`,
    other,
  })
  const flagged = (condition: SQL, other: SQL): Branch => ({
    at: sql`f.created_at`,
    id: sql`f.id`,
    from: sql`flags f left join replies p on p.id = f.reply_id join threads t on t.id = coalesce(f.thread_id, p.thread_id) where ${condition}`,
    title: text(sql`coalesce(p.content, t.content)`),
    note: sql`f.reason || ':' || f.comment`,
    state: sql`coalesce(f.outcome, '')`,
    path: sql`'/forum/thread/' || t.id || '/replies'`,
    other,
  })
  return {
    reported: reported(sql`r.reporter_id`, sql`r.seller_id`),
    'was-reported': reported(sql`r.seller_id`, sql`r.reporter_id`),
    flagged: flagged(sql`f.reporter_id = ${person}`, sql`coalesce(p.author_id, t.author_id)`),
    'was-flagged': flagged(
      sql`(f.thread_id in (select x.id from threads x where x.author_id = ${person}) or f.reply_id in (select x.id from replies x where x.author_id = ${person}))`,
      sql`f.reporter_id`,
    ),
  }
}

function talkBranches({ person, animal }: Parts): Branches<'talk'> {
  const review = (side: SQL, other: SQL): Branch => ({
    at: sql`v.created_at`,
    id: sql`v.id`,
    from: sql`seller_reviews v where ${side} = ${person}`,
    title: text(sql`v.comment`),
    state: sql`coalesce(v.stars::text, '')`,
    path: sql`'/seller/' || v.seller_id`,
    other,
  })
  const post = (table: SQL, threadId: SQL): Branch => ({
    at: sql`p.created_at`,
    id: sql`p.id`,
    from: sql`${table} p where p.author_id = ${person}`,
    title: text(sql`p.content`),
    note: sql`coalesce(p.reason, '')`,
    state: sql`p.state`,
    path: sql`'/forum/thread/' || ${threadId} || '/replies'`,
  })
  return {
    enquiry: {
      at: sql`e.created_at`,
      id: sql`e.id`,
      from: sql`enquiries e where e.poster_id = ${person}`,
      title: text(sql`e.description`),
      note: sql`coalesce(e.verification_comment, '')`,
      state: sql`case when e.is_verified is null then '' when e.is_verified then 'passed' else 'failed' end`,
      path: sql`'/view-enquiry/' || e.id`,
    },
    offer: {
      at: sql`f.created_at`,
      id: sql`f.id`,
      from: sql`listings l join enquiry_offers f on f.listing_id = l.id where l.seller_id = ${person}`,
      title: animal,
      path: sql`'/view-enquiry/' || f.enquiry_id`,
    },
    thread: post(sql`threads`, sql`p.id`),
    reply: post(sql`replies`, sql`p.thread_id`),
    reviewed: review(sql`v.reviewer_id`, sql`v.seller_id`),
    'was-reviewed': review(sql`v.seller_id`, sql`v.reviewer_id`),
    ticket: {
      at: sql`k.created_at`,
      id: sql`k.id`,
      from: sql`tickets k where k.user_id = ${person}`,
      title: text(sql`k.content`),
      note: sql`coalesce(k.note, '')`,
      state: sql`case when k.closed_at is null then '' else 'closed' end`,
      path: sql`'/admin/tickets?ticket=' || k.id`,
    },
  }
}

function branches(ctx: Ctx, id: number, hasReads: boolean): Record<TimelineKind, Branch> {
  const parts = {
    ctx,
    person: sql`${id}::bigint`,
    animal: nameIn(ctx.locale),
    listingPath: sql`'/product/' || l.id || '?tab=verification'`,
    hasReads,
  }
  return {
    ...accountBranches(parts),
    ...listingBranches(parts),
    ...orderBranches(parts),
    ...reportBranches(parts),
    ...talkBranches(parts),
  }
}

interface TimelineChoices {
  /** Null for all groups. */
  group: TimelineGroup | null
  /** Counts from 1. */
  page: number
}

/**
 * Everything that a person did and that was done to them, newest first. Only super admins see who viewed the person, and only
 * in the group `account`, because the views would fill the first page of all. One statement.
 */
export async function readTimeline(
  ctx: Ctx,
  id: number,
  { group, page }: TimelineChoices,
): Promise<{ events: TimelineEvent[]; hasMore: boolean }> {
  requireCan(ctx, 'operate')
  const upTo = page * EVENTS_PER_PAGE + 1
  const chosen = group ? [group] : timelineGroups
  const all = branches(ctx, id, group === 'account' && can(ctx.viewer, 'appoint-admins'))
  const kinds = chosen.flatMap((each): readonly TimelineKind[] => kindsOf[each])
  const parts = kinds.map((kind) => {
    const { at, id: own, from, ...part } = all[kind]
    const or = (value: SQL | undefined) => value ?? sql`''`
    return sql`(select ${kind}::text as kind, ${at} as at, ${own}::bigint as id, ${or(part.title)} as title, ${or(part.note)} as note, ${or(part.state)} as state,
      ${or(part.path)} as path, ${part.other ?? sql`null`}::bigint as other_id, ${part.details ?? sql`'{}'::jsonb`} as details
      from ${from} order by 2 desc, 3 desc limit ${upTo}::int)`
  })
  const rows = await rowsOf(
    ctx,
    sql`
    select e.kind, ${epochMs(sql`e.at`)} as at, e.title, e.note, e.state, e.path,
      e.other_id::float8 as "otherId", u.name as "otherName", e.details
    from (${sql.join(parts, sql` union all `)}) e left join users u on u.id = e.other_id
    order by e.at desc, e.kind, e.id desc limit ${EVENTS_PER_PAGE + 1} offset ${(page - 1) * EVENTS_PER_PAGE}`,
    eventRow,
  )
  return { hasMore: rows.length > EVENTS_PER_PAGE, events: rows.slice(0, EVENTS_PER_PAGE) }
}
