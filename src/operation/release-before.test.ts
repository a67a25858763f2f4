import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrationHashes } from '../kit/db/migrate.server.ts'
import { startPostgres, type PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { picture, wireBody } from '#tools/test-kit/test-sale.ts'
import { buildRelease, releaseBefore } from '#tools/test-kit/release-before.ts'
import { cleanUp, startSite, tempFolder, type SiteProcess } from '#tools/test-kit/site-process.ts'
import { WirePerson } from '#tools/test-kit/wire-person.ts'

/**
 * A release can be taken back, and machines are upgraded in turn (decision 0079). Builds the previous release and runs it beside this one
 * on this one's schema; this one must see what people do there. `npm run test:deep`.
 */
describe.runIf(process.env.DEEP === '1')('the previous release, on the schema of this one', () => {
  let postgres: PostgresServer
  let before: SiteProcess
  let ours: SiteProcess
  beforeAll(async () => {
    const folder = buildRelease(releaseBefore())
    postgres = await startPostgres()
    const variables = { DATABASE_URL: postgres.url, DATA_DIR: tempFolder(), LOG_LEVEL: 'warn' }
    ours = await startSite(variables)
    before = await startSite(variables, { folder })
    const journal = readFileSync(join(folder, 'migrations/meta/_journal.json'), 'utf8')
    expect((JSON.parse(journal) as { entries: unknown[] }).entries.length).toBeLessThan(migrationHashes().length)
  })
  afterAll(async () => {
    await cleanUp()
    await postgres?.stop()
  })

  test('shows its pages', async () => {
    for (const path of ['/', '/en/', '/buy/0', '/en/view-requirements', '/readyz']) expect(await statusOf(before, path), path).toBe(200)
  })

  test('shows and sells an animal (list, animal, login, cart, order), and the present release sees it', async () => {
    const buyer = await WirePerson.logIn(before.origin, '+919000000001')
    const list = await buyer.yes<{ id: number; product_variant: { stock: number }[] }[]>(
      'GET',
      '/product-detail-list/top=24&category=0&page=buy',
    )
    const { id } = list.find(({ product_variant: [variant] }) => variant!.stock > 0)!
    expect(await statusOf(before, `/product/${id}`)).toBe(200)
    await buyer.yes('GET', `/product/id=${id}`)
    await buyer.yes('POST', `/buyercart/buyer=${buyer.id}`, { product: id, items_count: 1 })
    const cart = await buyer.yes<{ id: number }[]>('GET', `/buyercart/buyer=${buyer.id}`)
    const address = await buyer.yes<{ id: number }>('POST', `/user-address/user=${buyer.id}`, home(1))
    await buyer.yes('PUT', `/confirm-order/buyer=${buyer.id}&address=${address.id}&code=`)
    const there = await WirePerson.logIn(ours.origin, '+919000000001')
    const orders = await there.yes<unknown[]>('GET', `/order/buyer=${buyer.id}&type=1`)
    expect(JSON.stringify(orders)).toContain(`"id":${cart[0]!.id}`)
  })

  test('accepts a new listing with its picture, which an admin of the present release passes', async () => {
    const seller = await WirePerson.logIn(before.origin, '+919000000002')
    const pickup = await seller.yes<{ id: number }>('POST', `/user-address/user=${seller.id}`, home(2))
    const { productVariantId: id } = await seller.yes<{ productVariantId: number }>('POST', '/product', wireBody(seller.id, pickup.id))
    const form = new FormData()
    form.set('product', String(id))
    form.append('images', new File([new Uint8Array(await picture(7))], 'cow.jpg'))
    await seller.yes('POST', '/productimages', form)
    const admin = await WirePerson.logIn(ours.origin, '+919000000009')
    await admin.yes('PUT', `/update-product/id=${id}&sold=false&quantity=0&issandhaisale=false`, { is_verified: true, comment: 'Good' })
    expect(await statusOf(before, `/product/${id}`)).toBe(200)
  })

  test('logs no failure', () => {
    expect(before.out().filter((line) => line.includes('"level":50'))).toEqual([])
    expect(before.err()).toEqual([])
  })
})

const statusOf = async ({ origin }: SiteProcess, path: string) => (await fetch(origin + path)).status
const home = (type: number) => ({
  name: 'Farm',
  phone: '+919876543210',
  type,
  address_1: '4/17 Temple Street',
  address_2: 'Main Road',
  pincode: '638701',
})
