import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeSession, makeUser } from '../accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import { cartLines } from '../cart/tables.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { folderPlace } from '#src/kit/media/picture-place.server.ts'
import type { PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import { makeListing } from '../listings/makers.server.ts'
import { claimPictures } from '#src/market/media-owner.server.ts'
import { pictureForm } from '#tools/test-kit/test-sale.ts'
import { startPreparedPostgres, withDatabase } from '#tools/test-kit/prepared.ts'
import { cleanUp, endAll, startSite, tempFolder } from '#tools/test-kit/site-process.ts'

const SECRETS = { SESSION_SECRET: 's'.repeat(32), PEPPER: 'p'.repeat(32) }
const MEBIBYTE = 1024 * 1024

let disk: string | undefined
let postgres: PostgresServer | undefined
afterAll(async () => {
  await endAll()
  if (disk) execFileSync('umount', [disk])
  await cleanUp()
  await postgres?.stop()
})

/** False where this machine does not let us mount a small disk. */
function mountSmallDisk(folder: string): boolean {
  mkdirSync(folder)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    return false
  }
  disk = folder
  return true
}

/** Writes until nothing more fits. */
function fillUp(file: string): void {
  for (let bytes = MEBIBYTE; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes))
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
    }
  }
}

test('a full picture disk refuses uploads with words, and the market goes on; with room again, uploads work', async ({ skip }) => {
  const dataDir = tempFolder()
  const media = join(dataDir, 'media')
  if (!mountSmallDisk(media)) skip('needs the right to mount a small disk')
  postgres = await startPreparedPostgres()
  const buyer = await withDatabase(postgres.url, async (database) => {
    await claimPictures(database, folderPlace(media))
    const ctx = testCtx(database.db)
    const seller = await makeUser(ctx, { typeId: 2 })
    const listingId = await makeListing(ctx, { sellerId: seller.id, pickupAddressId: await makeAddress(ctx, seller.id), stock: 1 })
    const { id } = await makeUser(ctx, { typeId: 1 })
    await ctx.db.insert(cartLines).values({ buyerId: id, listingId, count: 1, seenPrice: 1n, seenStock: 1 })
    return { id, addressId: await makeAddress(ctx, id), session: await makeSession(ctx, id), listingId }
  })
  const site = await startSite({ DATA_DIR: dataDir, DATABASE_URL: postgres.url, LOG_LEVEL: 'silent', ...SECRETS })
  const csrf = makeCsrfToken(SECRETS.SESSION_SECRET, buyer.session)
  const headers = { cookie: `__Host-sid=${buyer.session}; __Host-csrf=${csrf}`, 'x-csrftoken': csrf, 'accept-language': 'ta' }
  const upload = async () =>
    fetch(`${site.origin}/api/v1/userprofileimage`, { method: 'POST', headers, body: (await pictureForm('image')).form })
  const status = async (path: string) => (await fetch(site.origin + path)).status

  const { image } = (await (await upload()).json()) as { image: string }
  const filler = join(media, 'filler')
  fillUp(filler)
  expect(statSync(filler).size).toBeGreaterThan(MEBIBYTE)

  const refused = await upload()
  expect([refused.status, refused.headers.get('content-type'), Number(refused.headers.get('retry-after')) > 0]).toEqual([
    503,
    'application/problem+json; charset=utf-8',
    true,
  ])
  expect(await refused.json()).toMatchObject({ code: 'UNAVAILABLE', detail: expect.stringMatching(/[\u0B80-\u0BFF]/) })
  expect(await status('/readyz')).toBe(200)
  expect(await status('/en/buy/0')).toBe(200)
  expect(await status(`/product/${buyer.listingId}`)).toBe(200)
  expect((await fetch(site.origin + image, { headers })).status).toBe(200)
  const order = await fetch(`${site.origin}/api/v1/confirm-order/buyer=${buyer.id}&address=${buyer.addressId}&code=`, {
    method: 'PUT',
    headers: { ...headers, 'idempotency-key': 'while-the-disk-is-full' },
  })
  expect(order.status).toBe(200)

  rmSync(filler)
  expect((await upload()).status).toBe(200)
})
