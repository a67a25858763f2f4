import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { hashOf, stepOf, type StepName } from '../src/selling/form/steps.ts'
import { expect } from './market.ts'
import { askForType, ownId, registerByApi } from './people.ts'

export async function callApi(page: Page, method: 'POST' | 'PUT' | 'PATCH', path: string, data?: unknown) {
  const { request } = page.context()
  await request.get('/api/v1/csrf')
  const csrf = (await page.context().cookies()).find(({ name }) => name.endsWith('csrf'))!.value
  return request.fetch(`/api/v1${path}`, { method, headers: { 'X-CSRFToken': csrf }, ...(data !== undefined && { data }) })
}

/** Registers a new seller with an address and logs the page's browser in. Returns their phone, their id and the address's id. */
export async function registerSeller(page: Page, pincode = '638701'): Promise<{ phone: string; id: number; pickup: number }> {
  const phone = await registerByApi(page)
  const id = await ownId(page)
  const pickup = await addPickup(page, { id, phone, pincode })
  await askForType(page, id, 2)
  return { phone, id, pickup }
}

/** Saves a pickup address of the person who uses this browser; returns its id. */
export async function addPickup(
  page: Page,
  { id, phone, pincode = '638701' }: { id: number; phone: string; pincode?: string },
): Promise<number> {
  const address = { name: 'Farm', phone: `+91${phone}`, type: 2, address_1: '1 Sample Farm', address_2: 'Main Road', pincode }
  const saved = await callApi(page, 'POST', `/user-address/user=${id}`, address)
  expect(saved.status()).toBe(200)
  return ((await saved.json()) as { id: number }).id
}

/** A Kangayam bull of the seller who uses this browser, with one picture; returns its id. It waits for its verdict. */
export async function listBull(
  page: Page,
  seller: { id: number; pickup: number },
  name = 'Journey bull',
  owner?: { name: string; phone: string; fee: number },
): Promise<number> {
  const body = {
    product: {
      name,
      description: 'Trained to cart and plough.',
      seller: seller.id,
      categorytype: 1,
      category: 1,
      breed: 101,
      pickup: seller.pickup,
      created_by: seller.id,
      ...(owner && { owner }),
    },
    product_variant: [{ age: 7, gender: 1, color: 6, stock: 2, weight: 420, original_price: 85_000, offer_price: 0 }],
    vaccines: [],
  }
  const listed = await callApi(page, 'POST', '/product', body)
  expect(await listed.text()).toContain('productVariantId')
  const { productVariantId: id } = (await listed.json()) as { productVariantId: number }
  const csrf = (await page.context().cookies()).find(({ name }) => name.endsWith('csrf'))!.value
  const pictures = await page.context().request.post('/api/v1/productimages', {
    headers: { 'X-CSRFToken': csrf },
    multipart: { product: String(id), images: { name: 'bull.jpg', mimeType: 'image/jpeg', buffer: readFileSync('public/share.jpg') } },
  })
  expect(pictures.status()).toBe(200)
  return id
}

/** Opens a step of a listing's form by its bar. Without scripts there is no bar, and all steps are on one page. */
export async function openStep(page: Page, step: StepName): Promise<void> {
  const link = page.locator(`nav a[href="${hashOf(step)}"]`)
  if (await page.locator('nav:has(a[href="#photos"])').isVisible()) await link.click()
  await expect(page.locator(`[data-step=${step}]`).first()).toBeVisible()
}

/** Types into a field of a listing's form, on its step. */
export async function writeOn(page: Page, field: string, text: string): Promise<void> {
  await openStep(page, stepOf(field))
  await page.locator(`#listing-${field}`).fill(text)
}

export async function chooseSpecies(page: Page, name: string): Promise<void> {
  await openStep(page, 'animal')
  await page.getByRole('radio', { name, exact: true }).check()
}

interface Answers {
  breed: string
  sex: string
  age: string
  color: string
  weight: string
  price: string
  name?: string
  description?: string
}

/** Answers the steps "animal" to "check" for a chosen species, and confirms that the animal may be sold. */
export async function describeAnimal(page: Page, answers: Answers): Promise<void> {
  await openStep(page, 'animal')
  for (const answer of [answers.breed, answers.sex, answers.age, answers.color])
    await page.getByRole('radio', { name: answer, exact: true }).check()
  await page.locator('#listing-weightKg').fill(answers.weight)
  await writeOn(page, 'originalPrice', answers.price)
  await openStep(page, 'check')
  if (answers.name) await page.locator('#listing-name').fill(answers.name)
  if (answers.description) await page.locator('#listing-description').fill(answers.description)
  // A greyed proposal is taken only when the seller confirms it.
  if (!answers.name || !answers.description) await page.getByRole('button', { name: 'Use these words' }).click()
  await page.locator('input[name=isAllowed]').check()
}
