import { and, eq, gte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { devicesOf } from '#src/accounts/notifications/receivers.server.ts'
import { ADMIN_TYPE } from '#src/accounts/rules.ts'
import { isNotificationTime } from '#src/alerts/once-a-day.server.ts'
import { sumOf } from '#src/content/site-frame/live-counts.ts'
import type { Ctx, Viewer } from '#src/kit/context.ts'
import { inTransaction } from '#src/kit/db/database.server.ts'
import { localeShape, rowsOf } from '#src/kit/db/rows.server.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { queueMessages } from '#src/kit/messages/outbox.server.ts'
import { localized } from '#src/kit/text/locale.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import { m } from '#src/paraglide/messages.js'
import { countWork } from './desk-work.server.ts'

const TEMPLATE = 'desk-work'
const adminRow = z.object({ id: z.number(), name: z.string(), locale: localeShape, devices: z.array(z.number()) })

/**
 * Once a day, in the morning, notifies each admin's devices of the number of cases that wait at the desks; never of single cases, and never
 * by SMS. Several processes may run this at once: the one that locks the admin's row sends. Returns how many admins were notified.
 */
export async function notifyDesks(ctx: Ctx): Promise<number> {
  if (!isNotificationTime(ctx.now)) return 0
  const morning = new Date(`${indianDay(ctx.now)}T00:00:00+05:30`)
  return inTransaction(ctx, async (ctx) => {
    const admins = await rowsOf(
      ctx,
      sql`
      select u.id::int as id, u.name, u.locale, ${devicesOf('u.id')} as devices from users u
      where u.type_id = ${ADMIN_TYPE} and u.is_active and exists (select 1 from push_devices d where d.user_id = u.id)
      order by u.id for no key update of u skip locked`,
      adminRow,
    )
    let notified = 0
    for (const admin of admins) {
      // Check under the lock, because another process may have just sent it.
      const own = and(eq(outbox.userId, admin.id), eq(outbox.template, TEMPLATE), gte(outbox.createdAt, morning))
      if ((await ctx.db.$count(outbox, own)) > 0) continue
      const count = await casesFor(ctx, admin)
      if (count === 0) continue
      const { id: userId, locale } = admin
      const body = m.push_desk_work({ count }, { locale })
      const variables = { link: ctx.publicOrigin + localized('/admin', locale) }
      await queueMessages(
        ctx,
        admin.devices.map((device) => ({ channel: 'push', to: String(device), userId, template: TEMPLATE, locale, body, variables })),
      )
      notified += 1
    }
    return notified
  })
}

async function casesFor(ctx: Ctx, { id, name }: z.infer<typeof adminRow>): Promise<number> {
  const viewer: Viewer = { id, name, typeId: ADMIN_TYPE, vetApproved: false, superAdmin: false }
  return sumOf(await countWork({ ...ctx, viewer }))
}
