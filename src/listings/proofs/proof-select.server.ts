import { sql, type SQL } from 'drizzle-orm'
import { daysBefore, indianDay } from '#src/kit/time-money/dates.ts'
import { PROOF_DAYS } from './proof-rules.ts'

/** Whether an admin has seen this row of `milkings` for the current revision of its listing `l`. */
export const isProofSeen = (proof: SQL): SQL => sql`(not ${proof}.is_refused and ${proof}.seen_revision is not distinct from l.revision)`

/** The first day whose milkings still count. */
export const firstProofDay = (now: Date): SQL => sql`${indianDay(daysBefore(now, PROOF_DAYS))}::date`

/** The number of visible milkings of listing `l`. */
export const milkingsShownCount = (now: Date): SQL =>
  sql`(select count(*)::int from unnest(l.milkings_shown) as d(day) where d.day >= ${firstProofDay(now)})`

export const milkingClip = sql`json_build_object('key', k.media_key, 'format', k.format, 'bytes', k.bytes, 'millis', k.millis,
  'width', k.width, 'height', k.height, 'stillKey', k.still_key)`

/** The public proofs of listing `l`: its milkings, newest first. */
export const proofColumns = (now: Date): SQL => sql`
  (select coalesce(json_agg(json_build_object('id', k.id, 'on', k.milked_on, 'time', k.time, 'litres', k.litres,
       'clip', case when k.media_key is not null and ${isProofSeen(sql`k`)} then ${milkingClip} end) order by k.milked_on desc, k.time), '[]')
     from milkings k where k.listing_id = l.id and k.milked_on >= ${firstProofDay(now)}) as milkings`
