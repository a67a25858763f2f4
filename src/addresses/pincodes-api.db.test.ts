import { eq } from 'drizzle-orm'
import { describe, expect, test, vi } from 'vitest'
import { shareTestApp, type TestApp } from '#tools/test-kit/test-app.ts'
import { pincodes } from './tables.ts'

let app: TestApp
shareTestApp((opened) => (app = opened))

describe('PIN codes', () => {
  type Pin = { pincode: string; isdeliverable: boolean }
  const find = (pins: Pin[], pincode: string) => pins.find((pin) => pin.pincode === pincode)?.isdeliverable

  test('each has a delivery flag: true in Tamil Nadu, false in the neighbouring states', async () => {
    const pins = await app.read<Pin[]>('/api/v1/deliverable-pincodes')
    expect(pins.length).toBeGreaterThan(19_000)
    expect(new Set(pins.map((pin) => pin.pincode)).size).toBe(pins.length)
    expect(find(pins, '638701')).toBe(true)
    expect(find(pins, '605001')).toBe(false)
    expect(find(pins, '110001')).toBe(false)
    expect(find(pins, '999999')).toBeUndefined()
  })

  test('forty concurrent requests run one query', async () => {
    vi.spyOn(app.market.clock, 'now').mockReturnValue(new Date(Date.now() + 60_000))
    app.statements()
    await Promise.all(Array.from({ length: 40 }, () => app.call('/api/v1/deliverable-pincodes', { method: 'HEAD' })))
    expect(app.statements().filter((sql) => sql.includes('pincodes'))).toHaveLength(1)
  })

  test('a PIN code that an admin turned on is deliverable five seconds later, under a new ETag', async () => {
    const now = Date.now() + 120_000
    const clock = vi.spyOn(app.market.clock, 'now').mockReturnValue(new Date(now))
    const before = await app.call('/api/v1/deliverable-pincodes')
    await app.ctx.db.update(pincodes).set({ isDeliverable: true }).where(eq(pincodes.pincode, '605001'))
    clock.mockReturnValue(new Date(now + 5000))
    const after = await app.call('/api/v1/deliverable-pincodes', { headers: { 'If-None-Match': before.headers.get('etag')! } })
    expect(after.status).toBe(200)
    expect(find((await after.json()) as Pin[], '605001')).toBe(true)
    const unchanged = await app.call('/api/v1/deliverable-pincodes', { headers: { 'If-None-Match': after.headers.get('etag')! } })
    expect(unchanged.status).toBe(304)
    expect(await unchanged.text()).toBe('')
  })
})
