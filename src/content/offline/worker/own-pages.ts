import { FOR_COPY, PICTURE_COPIES } from '#src/content/offline/names.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { assetsIn } from '#src/content/offline/copy-rules.ts'
import { copyPage } from './answer.ts'
import { keep, keepFile } from './keep.ts'
import { isLowData } from './low-data.ts'
import { ownerNow } from './owner.ts'
import { scope } from './scope.ts'
import { store } from './store.ts'

/** One's own places, whether they were looked at or not: orders with codes and addresses, listings, what is saved. */
const OWN = ['/orders', '/sell', '/seller-product', '/saved', '/my-cart', '/my-addresses']
const MOST_ANIMALS = 20
/** As long as a list is good for (specification A §9), a fourth of it. */
const EVERY_MS = 3 * 3_600_000
const KEY = 'own-pages'
const headers = { [FOR_COPY]: '1' }

/** Without their scripts, which most of them need for nothing that works offline. Fetched at a quiet moment of a page, some hours apart, for whoever is logged in. Not where somebody saves data. */
export async function copyOwnPages(locale: Locale): Promise<'done' | 'not now'> {
  const mark = await ownerNow()
  const db = await store()
  const last = (await db.get('facts', KEY)) as { mark: string; at: number } | undefined
  if (mark === null || (await isLowData()) || (last?.mark === mark && Date.now() - last.at < EVERY_MS)) return 'not now'
  for (const path of OWN) {
    const html = await copyPage(new URL(localized(path, locale), scope.location.origin).href, headers)
    if (html === null) continue
    if (path === '/saved') await copyAnimals(html)
    if (path === '/sell') await copySellForm(html)
  }
  await db.put('facts', { mark, at: Date.now() }, KEY)
  return 'done'
}

/** The form answers without a line by its scripts. Whoever sells nothing gets another page here, which needs none. */
async function copySellForm(html: string): Promise<void> {
  if (!html.includes('id="sell"')) return
  for (const file of assetsIn(html)) await keepFile(file)
}

/** Each saved animal's page with its first photo. */
async function copyAnimals(saved: string): Promise<void> {
  const paths = [...new Set(saved.match(/(?:\/en)?\/product\/\d+(?=")/g) ?? [])]
  for (const path of paths.slice(0, MOST_ANIMALS)) {
    const html = await copyPage(new URL(path, scope.location.origin).href, headers)
    const photo = html && /\/media\/[a-z0-9]{20}-640\.webp/.exec(html)?.[0]
    if (!photo || (await caches.match(photo, { cacheName: PICTURE_COPIES }))) continue
    const picture = await fetch(photo).catch(() => null)
    if (picture?.ok) await keep(PICTURE_COPIES, photo, picture)
  }
}
