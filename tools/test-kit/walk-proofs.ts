import { expect } from 'vitest'
import bodyExamples from '#src/server/api-examples.json' with { type: 'json' }
import type { Viewer } from '#src/kit/context.ts'
import { indianDay } from '#src/kit/time-money/dates.ts'
import type { CallOptions } from './test-app.ts'
import { clipForm } from './test-sale.ts'

/** Each call must succeed. */
type Call = (method: string, path: string, as: Viewer | null, json?: unknown, more?: CallOptions) => Promise<Response>

/** Makes every call of milkings (listings/proofs) for a cow in milk: add, view as an admin, remove. */
export async function walkProofs(call: Call, { seller, admin }: Record<'seller' | 'admin', Viewer>, id: number): Promise<void> {
  const read = async <T>(path: string, as: Viewer | null) => (await (await call('GET', path, as)).json()) as T
  const milking = await clipForm({ product: String(id), milked_on: indianDay(new Date()), time: 'morning', litres: '4.5' })
  const added = (await (await call('POST', '/productmilkings', seller, undefined, milking)).json()) as { id: number }
  const waiting = await read<{ key: string; product: number }[]>('/admin/proofs', admin)
  expect(waiting.map(({ product }) => product)).toEqual([id])
  for (const { key } of waiting) await call('PUT', `/admin/proof/key=${key}`, admin, bodyExamples['PUT /admin/proof/key={proofKey}'])
  expect(await read(`/product/id=${id}`, null)).toMatchObject([
    { product_variant: [{ milkings: [{ id: added.id, litres: 4.5, clip: { type: 'video/mp4' } }] }] },
  ])
  expect(await read(`/productproofs/id=${id}`, seller)).toMatchObject({ milkings: [{ state: 'seen' }] })
  await call('DELETE', `/productmilking/id=${added.id}`, seller)
}
