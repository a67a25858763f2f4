import type { Browser, Page } from '@playwright/test'
import { decide } from './admins.ts'
import { expect } from './market.ts'
import { ownId, registerByApi } from './people.ts'
import { callApi, listBull, registerSeller } from './sellers.ts'

interface Deal {
  buyer: Page
  buyerPhone: string
  seller: Page
  ids: number[]
  close(): Promise<void>
}

/** A buyer who has ordered this many bulls of one seller, each person in their own browser. */
export async function deal(browser: Browser, page: Page, count = 1): Promise<Deal> {
  const selling = await browser.newContext()
  const seller = await selling.newPage()
  const person = await registerSeller(seller)
  const buyerPhone = await registerByApi(page)
  const buyerId = await ownId(page)
  const address = { name: 'Home', phone: `+91${buyerPhone}`, type: 1, address_1: '4 Temple Street', address_2: '', pincode: '638701' }
  const saved = await callApi(page, 'POST', `/user-address/user=${buyerId}`, { ...address, address_2: 'Old Town' })
  const { id: addressId } = (await saved.json()) as { id: number }
  for (let n = 0; n < count; n++) {
    const bull = await listBull(seller, person, `Ordered bull ${n + 1}`)
    await decide(browser, bull, true, 'Good.')
    expect((await callApi(page, 'POST', `/buyercart/buyer=${buyerId}`, { product: bull, items_count: 1 })).status()).toBe(200)
  }
  const placed = await callApi(page, 'PUT', `/confirm-order/buyer=${buyerId}&address=${addressId}&code=`)
  const { orders } = (await placed.json()) as { orders: { id: number }[] }
  return { buyer: page, buyerPhone, seller, ids: orders.map(({ id }) => id), close: () => selling.close() }
}
