import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { oneRowOf } from '#src/kit/db/rows.server.ts'
import { secondsDue } from '#src/kit/messages/outbox.server.ts'
import { lastRounds } from '#src/kit/hourly.server.ts'
import { seriesOf, tallied, type Labels } from '#src/kit/base/tally.server.ts'
import type { Market } from '#src/market/market.server.ts'
import { lastBackupAt } from './backup/last-backup.server.ts'
import { releaseVersion } from './release-version.server.ts'
import { readinessOf } from './readiness.server.ts'

/** The metrics of one scrape, in Prometheus' text format 0.0.4. Counters belong to this process and start with it. */
const help: Record<string, [type: 'counter' | 'gauge' | 'histogram', what: string]> = {
  sandhai_build_info: ['gauge', 'Always 1; the release and its Node.'],
  sandhai_process_start_time_seconds: ['gauge', 'When the process started.'],
  sandhai_process_cpu_seconds_total: ['counter', 'Processor time.'],
  sandhai_process_resident_bytes: ['gauge', 'Memory of the process.'],
  sandhai_process_heap_bytes: ['gauge', 'Heap in use.'],
  sandhai_event_loop_late_seconds: ['gauge', 'Lateness of timers: from 0.2 on the gates shed load.'],
  sandhai_ready: ['gauge', '1 when the check passes, by check (operation/readiness.server.ts).'],
  sandhai_gate_inside: ['gauge', 'Requests inside a gate.'],
  sandhai_gate_waiting: ['gauge', 'Requests in the queue of a gate.'],
  sandhai_gate_refusals_total: [
    'counter',
    'Requests that a gate refused (503), by cause: the process is late, the expected wait too long, the queue full, or the wait too long.',
  ],
  sandhai_reads_timed_out_total: ['counter', 'Reads that took longer than they may (503).'],
  sandhai_database_connections: ['gauge', 'Connections of the pool, by state.'],
  sandhai_database_slow_statements_total: ['counter', 'Statements that took longer than half a second.'],
  sandhai_disk_free_bytes: ['gauge', 'Free space for pictures.'],
  sandhai_backup_success_timestamp_seconds: ['gauge', 'When the last backup with this DATA_DIR succeeded; 0 when there was none.'],
  sandhai_outbox_waiting: ['gauge', 'Messages not sent yet.'],
  sandhai_outbox_oldest_seconds: ['gauge', 'Waiting time of the oldest due message, since its first try.'],
  sandhai_round_success_timestamp_seconds: [
    'gauge',
    'When an hourly job last succeeded in this process; before its first success, when the process scheduled it.',
  ],
  sandhai_round_failures_total: ['counter', 'Hourly jobs that failed.'],
  sandhai_http_requests_total: ['counter', 'Answers by route pattern and status.'],
  sandhai_http_failures_total: ['counter', 'Answers with status 500.'],
  sandhai_http_request_seconds: ['histogram', 'Duration of answers, by route pattern.'],
  sandhai_page_cache_total: ['counter', 'Pages from the cache, by outcome.'],
  sandhai_messages_total: [
    'counter',
    'Messages by channel, template and outcome. For a push also: shown in time, or too late to save the SMS.',
  ],
  sandhai_messages_given_up_total: ['counter', 'Messages given up.'],
  sandhai_codes_sent_total: ['counter', 'One-time codes sent.'],
  sandhai_codes_refused_total: [
    'counter',
    'Codes refused because unused codes fill their share (register, reset, sign-in, members), by the doubt about the asker (none, network, address).',
  ],
  sandhai_push_answers_total: ['counter', 'Answers of push services by status.'],
  sandhai_codes_used_total: ['counter', 'One-time codes used correctly.'],
  sandhai_transactions_repeated_total: [
    'counter',
    'Transactions that the database rolled back for another one and that were repeated, by SQLSTATE.',
  ],
  sandhai_events_total: ['counter', 'Events of the audit trail: order_placed, authn_login_success and the others.'],
}

export async function metricsOf(market: Market): Promise<string> {
  const samples: [name: string, labels: Labels, value: number][] = []
  const add = (name: string, value: number | null | undefined, labels: Labels = {}) => {
    if (value !== null && value !== undefined && Number.isFinite(value)) samples.push([name, labels, value])
  }
  const memory = process.memoryUsage()
  const cpu = process.cpuUsage()
  add('sandhai_build_info', 1, { version: releaseVersion, node: process.version })
  add('sandhai_process_start_time_seconds', Math.round(Date.now() / 1000 - process.uptime()))
  add('sandhai_process_cpu_seconds_total', (cpu.user + cpu.system) / 1e6)
  add('sandhai_process_resident_bytes', memory.rss)
  add('sandhai_process_heap_bytes', memory.heapUsed)
  add('sandhai_event_loop_late_seconds', market.latenessMs() / 1000)
  for (const { what, isWell } of await readinessOf(market)) add('sandhai_ready', isWell ? 1 : 0, { what })
  for (const [gate, { inside, waiting }] of Object.entries(market.gates ?? {})) {
    add('sandhai_gate_inside', inside, { gate })
    add('sandhai_gate_waiting', waiting, { gate })
  }
  for (const [state, count] of Object.entries(market.database.connections())) add('sandhai_database_connections', count, { state })
  add('sandhai_disk_free_bytes', await market.media.freeBytes().catch(() => null))
  add('sandhai_backup_success_timestamp_seconds', ((await lastBackupAt(market.env.dataDir))?.getTime() ?? 0) / 1000)
  const outbox = await askOutbox(market).catch(() => null)
  add('sandhai_outbox_waiting', outbox?.waiting)
  add('sandhai_outbox_oldest_seconds', outbox && (outbox.oldest ?? 0))
  for (const [round, { plannedAt, succeededAt }] of lastRounds)
    add('sandhai_round_success_timestamp_seconds', (succeededAt ?? plannedAt) / 1000, { round })
  for (const [name, part] of Object.entries(sums)) add(name, sumOf(part))
  const counted = [...tallied()].filter(([series]) => !(series in sums))
  return textOf([...samples.map(([name, labels, value]): [string, number] => [seriesOf(name, labels), value]), ...counted])
}

/**
 * Totals over the series that match, for alerts. They exist from the first scrape on: for Prometheus, a series that appears with its first
 * event has not grown.
 */
const sums: Record<string, RegExp> = {
  sandhai_http_failures_total: /^sandhai_http_requests_total\{.*status="500"/,
  sandhai_messages_given_up_total: /^sandhai_messages_total\{.*outcome="given_up"/,
  sandhai_codes_sent_total: /^sandhai_messages_total\{.*template="otp-.*outcome="sent"/,
  sandhai_codes_used_total: /^sandhai_codes_used_total$/,
}

const sumOf = (part: RegExp) => [...tallied()].reduce((sum, [series, value]) => (part.test(series) ? sum + value : sum), 0)

const outboxRow = z.object({ waiting: z.number(), oldest: z.number().nullable() })

async function askOutbox({ database }: Market) {
  return oneRowOf(
    { db: database.watch },
    sql`select count(*)::int as waiting, greatest(max(${secondsDue}), 0) as oldest
      from outbox where sent_at is null and failed_at is null and shown_at is null`,
    outboxRow,
  )
}

/** Groups series of one name below their HELP and TYPE. */
function textOf(series: [series: string, value: number][]): string {
  const familyOf = (name: string) => name.replace(/\{.*$/s, '').replace(/^(sandhai_http_request_seconds)_(bucket|sum|count)$/, '$1')
  const families = Map.groupBy(series, ([name]) => familyOf(name))
  return [...families]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .flatMap(([name, members]) => {
      const [type, what] = help[name] ?? ['gauge', name]
      return [`# HELP ${name} ${what}`, `# TYPE ${name} ${type}`, ...members.map(([each, value]) => `${each} ${value}`)]
    })
    .join('\n')
    .concat('\n')
}
