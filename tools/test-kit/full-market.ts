import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { audit } from '#src/kit/records/audit.server.ts'
import type { Database } from '#src/kit/db/database.server.ts'
import { readEnv, type Env } from '#src/kit/base/env.server.ts'
import { openMediaStore } from '#src/kit/media/media-store.server.ts'
import { queueMessage } from '#src/kit/messages/outbox.server.ts'
import { processPicture } from '#src/kit/media/pictures.server.ts'
import { testCtx } from './test-ctx.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { claimPictures } from '#src/market/media-owner.server.ts'
import { makeOrder } from '#src/orders/steps/makers.server.ts'
import { picture } from './test-sale.ts'
import { folderPlace } from '#src/kit/media/picture-place.server.ts'
import { ensureModeFits } from '#src/market/market-marks.server.ts'
import { openMarketVault } from '#src/market/vault-keys.server.ts'
import { rowsOf } from './prepared.ts'

export const PEPPER = 'p'.repeat(32)

/** Text with everything that COPY, JSON or a shell could misread, and with COPY's end-of-data mark. */
export const NASTY = 'நாட்டு மாடு\t\\N \\. "quoted" \'single\' {1,2}\n\\.\n\r\n\\\\. 🐂 \u0001 $$ %s'

export const envOf = (dataDir: string, databaseUrl: string | null, changes: Partial<Env> = {}): Env => ({
  ...readEnv({ DATA_DIR: dataDir, PEPPER, SESSION_SECRET: 's'.repeat(32), LOG_LEVEL: 'silent' }),
  databaseUrl,
  ...changes,
})

export async function addPicture(dataDir: string, seed: number) {
  const media = await openMediaStore(join(dataDir, 'media'))
  const processed = await processPicture(await picture(seed))
  const { variants: _, ...facts } = processed
  return { mediaKey: await media.save(processed), ...facts }
}

/** Fills a ready database with rows of most kinds: people, animals with real pictures, orders, messages and sealed values. */
export async function fillMarket(database: Database, dataDir: string): Promise<{ listingId: number; pictures: string[]; session: string }> {
  const ctx = testCtx(database.db)
  await ensureModeFits(database.db, 'demo')
  await openMarketVault(database.db, { pepper: PEPPER, pepperOld: null, pepperNext: null })
  await claimPictures(database, folderPlace(join(dataDir, 'media')))
  const photos = [await addPicture(dataDir, 1), await addPicture(dataDir, 2)]
  const seller = await makeUser(ctx, { typeId: 2, name: NASTY, panSealed: ctx.vault.seal('pan', 'ABCDE1234F') })
  const buyer = await makeUser(ctx, { name: "Selvi O'Neil" })
  const session = await makeSession(ctx, buyer.id)
  await makeAddress(ctx, buyer.id)
  const listingId = await makeListing(
    ctx,
    {
      sellerId: seller.id,
      description: NASTY,
      nameEn: null,
      tagSealed: ctx.vault.seal('ear-tag', '1'),
      tagMac: ctx.vault.mac('ear-tag', '1'),
    },
    photos,
  )
  const sold = await makeListing(ctx, { sellerId: seller.id, stock: 3 }, [await addPicture(dataDir, 3)])
  await makeOrder(ctx, { buyer, seller, listingId: sold, status: 6 })
  await makeOrder(ctx, { buyer, seller, listingId: sold })
  await audit(ctx, 'setting_changed', `user:${buyer.id}`, { was: null, is: 1 })
  await queueMessage(ctx, { channel: 'sms', template: 'x', locale: 'ta', to: buyer.phone, body: NASTY, variables: { a: NASTY } })
  const rows = await rowsOf<{ key: string }>(database.db, sql`select media_key as key from listing_photos order by id`)
  return { listingId, pictures: rows.map(({ key }) => key), session }
}
