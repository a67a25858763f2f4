import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { EnvError } from '#src/kit/base/env.server.ts'
import type { Db } from './db.ts'
import { oneRowOf } from './rows.server.ts'

/**
 * Two roles (safety.md INV-7): the owner creates and migrates the tables; the site's role reads and writes rows. On the audit trail, the site's role
 * may only insert and seal. So an attacker who controls the site cannot rewrite the trail.
 */
export async function grantSiteRole(owner: Db, role: string): Promise<void> {
  const site = sql.identifier(role)
  const statements = [
    sql`grant usage on schema public to ${site}`,
    sql`grant select, insert, update, delete on all tables in schema public to ${site}`,
    sql`grant usage, select on all sequences in schema public to ${site}`,
    sql`revoke all on schema_migrations, audit_events, vault_keys from ${site}`,
    sql`grant select on schema_migrations to ${site}`,
    sql`grant select, insert, update (position, seal) on audit_events to ${site}`,
    sql`grant select, insert, update (settled_at) on vault_keys to ${site}`,
  ]
  // Sites that start at the same time would update the same catalogue rows.
  await owner.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${GRANT_LOCK})`)
    for (const statement of statements) await tx.execute(statement)
  })
}
const GRANT_LOCK = 7_263_427

const timeLimitsRow = z.object({ statement: z.string(), lock: z.string(), idle: z.string() })

/** Behind a pooler, the pooler must set the statement time limits. Without them, one forgotten lock would block everybody. */
export async function ensureTimeLimits(db: Db): Promise<void> {
  const limits = await oneRowOf(
    { db },
    sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
      current_setting('idle_in_transaction_session_timeout') as idle`,
    timeLimitsRow,
  )
  if (Object.values(limits).includes('0'))
    throw new EnvError(['DATABASE_URL: the pooler sets no time-outs. Give it the connect_query of ops/pgbouncer.ini.'])
}

const canRewriteAuditRow = z.object({ can: z.boolean() })

/** Returns false for a role that may only insert and seal. Returns true for the owner, a member of the owner, and a superuser. */
export async function canRewriteAudit(db: Db): Promise<boolean> {
  const row = await oneRowOf(
    { db },
    sql`
    select pg_has_role(current_user, relowner, 'MEMBER') or has_table_privilege(oid, 'DELETE') or has_table_privilege(oid, 'TRUNCATE')
      or has_table_privilege(oid, 'TRIGGER') or has_column_privilege(oid, 'event', 'UPDATE') as can
    from pg_class where oid = 'audit_events'::regclass`,
    canRewriteAuditRow,
  )
  return row.can
}
