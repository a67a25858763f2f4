import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeUser } from '#src/accounts/makers.server.ts'
import { makeAddress } from '#src/addresses/makers.server.ts'
import type { Ctx } from '#src/kit/context.ts'
import { openDatabase } from '#src/kit/db/database.server.ts'
import type { Env } from '#src/kit/base/env.server.ts'
import { loadSharp } from '#src/kit/media/sharp.server.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { makeListing } from '#src/listings/makers.server.ts'
import { openMarket, type Market } from '#src/market/market.server.ts'
import { namedPictureKeys } from '#src/content/privacy/media-domains.server.ts'
import { restoreBackup, type Restored } from './restore.server.ts'
import { BackupRefused } from './sealed-file.server.ts'

interface Site {
  request(url: string, init: RequestInit): Response | Promise<Response>
}

interface Drill {
  from: string
  key: string
  name?: string
  /** A PostgreSQL server where the check may create and drop a database; null for an embedded one in a temporary folder. */
  on: string | null
}

/**
 * The restore drill: restores the newest backup into a temporary place. It compares every table, opens every picture, starts the market on
 * it, logs a person in and orders an animal. No background job runs, and no message is sent.
 */
export async function checkRestore(
  env: Env,
  drill: Drill,
  createSite: (market: Market) => Site,
): Promise<Restored & { opened: number; orders: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sandhai-restore-check-'))
  const place = await throwAwayDatabase(drill.on)
  const there: Env = {
    ...env,
    dataDir,
    databaseUrl: place.url,
    databaseOwnerUrl: null,
    databaseDirectUrl: null,
    databaseCluster: null,
    bucket: null,
    sms: null,
    push: null,
    smtpUrl: null,
    samplePicturesDir: null,
    logLevel: 'silent',
  }
  try {
    const restored = await restoreBackup(there, drill)
    const market = await openMarket(there, { isRehearsal: true })
    try {
      const opened = await openPictures(market)
      const orders = await orderSomething(market, createSite(market))
      return { ...restored, opened, orders }
    } finally {
      await market.close()
    }
  } finally {
    await place.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function throwAwayDatabase(server: string | null): Promise<{ url: string | null; drop(): Promise<void> }> {
  if (server === null) return { url: null, drop: async () => {} }
  const name = `sandhai_check_${randomBytes(5).toString('hex')}`
  const run = async (statement: string) => {
    const admin = await openDatabase({ databaseUrl: server, dataDir: '', patience: 60 })
    await admin.db.execute(statement).finally(() => admin.close())
  }
  await run(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) }
}

/** Decodes the header of each file, and every pixel of the smallest. The site made these files, so this process may decode AVIF and WebP, too. */
async function openPictures({ media, database }: Market): Promise<number> {
  const sharp = await loadSharp()
  sharp.unblock({ operation: ['VipsForeignLoadHeif', 'VipsForeignLoadWebp'] })
  let opened = 0
  for (const key of await namedPictureKeys(database.db)) {
    const files = (await media.filesOf(key)) ?? []
    for (const [number, { name, bytes }] of files.entries()) {
      const picture = sharp(bytes)
      await (number === 0 ? picture.raw().toBuffer() : picture.metadata()).catch(() => {
        throw new BackupRefused(`The picture ${key}/${name} cannot be opened.`)
      })
      opened += 1
    }
  }
  return opened
}

const PASSWORD = randomBytes(12).toString('base64url')

/**
 * Does what a browser does: logs in by password, puts an animal into the cart, orders it and opens the order. Returns the person's number
 * of orders.
 */
async function orderSomething(market: Market, site: Site): Promise<number> {
  const { buyer, addressId, listingId } = await buyerAndAnimal(market)
  const cookies = new Map<string, string>()
  const send = async (method: string, path: string, json?: object): Promise<string> => {
    const csrf = [...cookies].find(([name]) => name.endsWith('csrf'))?.[1]
    const response = await site.request(market.env.publicOrigin + path, {
      method,
      headers: {
        Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'Accept-Language': 'en',
        'Sec-Fetch-Site': 'same-origin',
        ...(csrf && { 'X-CSRFToken': csrf }),
        ...(json && { 'Content-Type': 'application/json' }),
      },
      ...(json && { body: JSON.stringify(json) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    if (!response.ok) throw new BackupRefused(`The restored market refuses ${method} ${path.split('=')[0]}: ${response.status}.`)
    return response.text()
  }
  await send('GET', '/api/v1/csrf')
  await send('POST', '/api/v1/login', { username: buyer.phone, password: PASSWORD })
  await send('POST', `/api/v1/buyercart/buyer=${buyer.id}`, { buyer: buyer.id, product: listingId, items_count: 1, total_payable: 0 })
  await send('PUT', `/api/v1/confirm-order/buyer=${buyer.id}&address=${addressId}&code=`)
  const orders = JSON.parse(await send('GET', `/api/v1/order/buyer=${buyer.id}&type=1`)) as unknown[]
  if (orders.length !== 1) throw new BackupRefused('The restored market accepted an order but does not show it.')
  return orders.length
}

async function buyerAndAnimal(market: Market) {
  const ctx: Ctx = {
    db: market.database.db,
    viewer: null,
    sessionId: null,
    locale: 'en',
    now: market.clock.now(),
    requestId: randomUUID(),
    log: market.log,
    browserId: null,
    publicOrigin: market.env.publicOrigin,
    vault: market.vault,
  }
  const phone = `+9160000${randomInt(10_000, 100_000)}`
  const buyer = await makeUser(ctx, { name: 'Restore drill', phone, passwordHash: await hashPassword(market.vault, PASSWORD) })
  const addressId = await makeAddress(ctx, buyer.id)
  const listingId = await makeListing(ctx)
  return { buyer, addressId, listingId }
}
