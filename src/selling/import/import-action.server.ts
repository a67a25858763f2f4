import { randomUUID } from 'node:crypto'
import { redirect } from 'react-router'
import { can, requireLoggedIn } from '#src/accounts/policy.ts'
import type { Ctx, Site, Visitor } from '#src/kit/context.ts'
import { textOf } from '#src/kit/http/page.server.ts'
import { parseId } from '#src/kit/ids.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { localized } from '#src/kit/text/locale.ts'
import { countFresh, importListings } from './import.server.ts'
import { readImport, shownProblems, textOfFile } from './read-import.server.ts'

interface Args {
  form: FormData
  site: Site
  visitor: Visitor
}

/**
 * Reads a table and shows a preview, or lists its valid rows. The second step parses the same text again, so it lists what the preview
 * showed.
 */
export async function actOnImport(ctx: Ctx, { form, site, visitor }: Args) {
  // An admin lists for a seller, and only the sell form asks for one.
  if (can(ctx.viewer, 'operate')) throw new Problem('ROLE_FORBIDDEN', { reason: 'SELLERS_ONLY' })
  if (textOf(form, 'act') === 'preview') {
    const table = await textOfFile(form.get('file'))
    const { rows, unknown } = readImport(ctx, table)
    // Prices (bigint) are not serialisable, and the page shows only the errors.
    return {
      table,
      unknown,
      key: randomUUID(),
      listed: null,
      rows: rows.map(({ facts, owner, ...row }) => ({ ...row, ownerName: owner?.name, isRight: facts !== null })),
    }
  }
  const table = textOf(form, 'table')
  const { rows } = readImport(ctx, table)
  const validRows = rows.flatMap(({ facts, ...row }) => (facts ? [{ ...row, facts }] : []))
  const [key, pickupAddressId] = [textOf(form, 'key'), parseId(textOf(form, 'pickup'))]
  const fields = [
    ...(validRows.length === 0 ? [{ field: 'table', message: 'field_import_none' }] : []),
    ...(pickupAddressId === null ? [{ field: 'pickup', message: 'field_listing_pickup' }] : []),
    ...(textOf(form, 'isAllowed') === '1' ? [] : [{ field: 'isAllowed', message: 'field_listing_allowed' }]),
  ]
  if (!/^[\w-]{8,64}$/.test(key)) throw new Problem('MALFORMED')
  if (fields.length > 0 || pickupAddressId === null) throw new Problem('VALIDATION', { fields })
  const limits = Array.from({ length: await countFresh(ctx, key, validRows) }, () => 'importDay' as const)
  await site.limits.takeAll(ctx.db, limits, { userId: requireLoggedIn(ctx).id, address: visitor.address })
  const { ids, refused } = await importListings(ctx, { key, pickupAddressId, rows: validRows })
  if (refused.length > 0) {
    const refusedRows = refused.map(({ number, fields: ofRow }) => {
      const { name, photo, owner } = validRows.find((row) => row.number === number)!
      return { number, name, photo, ownerName: owner?.name, problems: shownProblems(ctx, ofRow), isRight: false }
    })
    return { table, unknown: [], key, listed: ids.length, rows: refusedRows }
  }
  throw redirect(localized('/seller-product/?done=imported', ctx.locale))
}
