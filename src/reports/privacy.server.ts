import { asc, eq } from 'drizzle-orm'
import type { Ctx } from '#src/kit/context.ts'
import { columnsOf } from '#src/kit/db/columns.ts'
import { reports } from './tables.ts'

/** The data of this domain in a person's export: the reports that they made. Reports about them belong to the reporters. */
export async function exportPerson({ db }: Ctx, userId: number): Promise<object> {
  return {
    reportsMade: await db
      .select(columnsOf(reports, 'listingId', 'sellerId', 'reason', 'comment', 'createdAt'))
      .from(reports)
      .where(eq(reports.reporterId, userId))
      .orderBy(asc(reports.id)),
  }
}

/** Deletes the reports about the person. Their reports about others stay without a name. Call it in the erasure's transaction. */
export async function forgetPerson({ db }: Ctx, userId: number): Promise<string[]> {
  await db.delete(reports).where(eq(reports.sellerId, userId))
  return []
}

/** Deletes the person's reports, if they want that with the erasure of their account. Call it in the erasure's transaction. */
export async function removeReports({ db }: Ctx, userId: number): Promise<void> {
  await db.delete(reports).where(eq(reports.reporterId, userId))
}
