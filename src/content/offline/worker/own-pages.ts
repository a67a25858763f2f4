import { FOR_COPY, PICTURE_COPIES } from '#src/content/offline/names.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { assetsIn } from '#src/content/offline/copy-rules.ts'
import { copyPage } from './answer.ts'
import { renewClipScripts } from './clip-scripts.ts'
import { isFile, keep, keepFile } from './keep.ts'
import { ownerNow } from './owner.ts'
import { savesData, scope } from './scope.ts'
import { records } from './store.ts'

/** Personal pages that are copied even if the person has not opened them: orders given and received, own listings, saved animals. */
const OWN = ['/orders', '/sell', '/seller-product', '/seller-product?tab=1', '/saved', '/my-cart', '/my-addresses']
const MOST_ANIMALS = 20
/** A quarter of the time for which a list may be shown (specification A §9). */
const EVERY_MS = 3 * 3_600_000
const KEY = 'own-pages'
const headers = { [FOR_COPY]: '1' }

/**
 * Copies the logged-in person's pages, without their scripts, which most of them do not need offline. Runs when
 * a page is idle, at most every few hours, and not when the phone saves data.
 */
export async function copyOwnPages(locale: Locale): Promise<'done' | 'not now'> {
  const mark = await ownerNow()
  const last = (await records.read('facts', (facts) => facts.get(KEY))) as { mark: string; at: number } | undefined
  if (mark === null || savesData() || (last?.mark === mark && Date.now() - last.at < EVERY_MS)) return 'not now'
  for (const path of OWN) {
    const html = await copyPage(new URL(localized(path, locale), scope.location.origin).href, headers)
    if (html === null) continue
    if (path === '/saved') await copyAnimals(html)
    if (path === '/sell') await copySellForm(html)
  }
  await records.write('facts', (facts) => facts.put({ mark, at: Date.now() }, KEY))
  return 'done'
}

/** The sell form needs its scripts to work offline. People who do not sell get another page at this address, which needs none. */
async function copySellForm(html: string): Promise<void> {
  if (!html.includes('id="sell"')) return
  const files = assetsIn(html)
  for (const file of files) await keepFile(file)
  await renewClipScripts(files.filter((file) => file.endsWith('.js')))
}

async function copyAnimals(saved: string): Promise<void> {
  const paths = [...new Set(saved.match(/(?:\/en)?\/product\/\d+(?=")/g) ?? [])]
  for (const path of paths.slice(0, MOST_ANIMALS)) {
    const html = await copyPage(new URL(path, scope.location.origin).href, headers)
    const photo = html && /\/media\/[a-z0-9]{20}-640\.webp/.exec(html)?.[0]
    if (!photo || (await caches.match(photo, { cacheName: PICTURE_COPIES }))) continue
    const picture = await fetch(photo).catch(() => null)
    if (picture && isFile(picture)) await keep(PICTURE_COPIES, photo, picture)
  }
}
