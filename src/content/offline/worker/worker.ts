import { assetsIn, changesWhoIsHere, copyKindOf } from '#src/content/offline/copy-rules.ts'
import { FOR_COPY, OFFLINE_PATH, OUTBOX_SYNC, SHELL } from '#src/content/offline/names.ts'
import type { LaterAct } from '#src/kit/device/send-later.ts'
import { isFromMarket } from '#src/kit/http/market-answer.ts'
import { localized, type Locale } from '#src/kit/text/locale.ts'
import { withoutLateScript } from '#src/router-seams/late-script.ts'
import { answerTo, copyPage, laterAnswerOf } from './answer.ts'
import { dropEndedLinks, forgetCaches, keepFile, listPages, stamped } from './keep.ts'
import { countForLogin, discardAct, discardFollowers, forgetSentActs, listActs, reviseAct, sendActs, storeAct } from './later.ts'
import { copyOwnPages } from './own-pages.ts'
import { cacheOf, ownerNow, removeCopies } from './owner.ts'
import { keepClipScripts } from './clip-scripts.ts'
import { answerTap, showPush, subscribeAgain } from './push.ts'
import { scope } from './scope.ts'

// The service worker: visited pages open offline (decision 0058). Each page registers it after loading
// (router-seams/late-scripts.server.ts). device.server.ts serves it, or in its place one that removes itself and all copies.

scope.addEventListener('install', (event) => event.waitUntil(install()))
scope.addEventListener('activate', (event) => event.waitUntil(activate()))
scope.addEventListener('fetch', (event) => {
  // No answer waits for it. The page /logout ends a session by GET.
  const { pathname } = new URL(event.request.url)
  const isEnd = event.request.method !== 'GET' || pathname.endsWith('/logout')
  if (isEnd && changesWhoIsHere(pathname)) event.waitUntil(forgetSentActs().catch(() => {}))
  const answer = answerTo(event)
  if (answer) event.respondWith(answer)
})
scope.addEventListener('sync', (event) => {
  // The browser tries again when this fails.
  if (event.tag === OUTBOX_SYNC) event.waitUntil(sendBySync())
})
scope.addEventListener('push', (event) => event.waitUntil(showPush(event)))
scope.addEventListener('notificationclick', (event) => event.waitUntil(answerTap(event)))
scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(subscribeAgain(event)))
scope.addEventListener('message', (event) => {
  const { ask, ...more } = event.data as { ask: string }
  const answer = questions[ask]?.(more)
  // Always answer: the page waits for it.
  if (answer) event.waitUntil(answer.catch(() => null).then((what) => event.ports[0]?.postMessage(what)))
})

async function sendBySync(): Promise<void> {
  const left = await sendActs()
  for (const page of await scope.clients.matchAll({ type: 'window', includeUncontrolled: false })) page.postMessage('acts')
  if (left > 0) throw new Error('some acts were not sent')
}

/** Messages from pages (kit/device/ask-worker.ts). */
const questions: Record<string, (more: object) => Promise<unknown>> = {
  newer: (more) => laterAnswerOf((more as { url: string }).url),
  list: listCopies,
  refresh: (more) => dropEndedLinks().then(() => copyOwnPages((more as { locale: Locale }).locale)),
  forget: removeCopies,
  later: (more) => storeAct((more as { act: LaterAct }).act),
  acts: listActs,
  forLogin: countForLogin,
  send: (more) => sendActs((more as { csrf?: string }).csrf),
  discard: (more) => discardAct((more as { n: number }).n),
  discardFollowers: (more) => discardFollowers((more as { name: string }).name),
  revise: (more) => reviseAct((more as { n: number }).n, (more as { changes: Parameters<typeof reviseAct>[1] }).changes),
  clipScripts: (more) => keepClipScripts((more as { from: string }).from),
}

/** Stores the page that is shown when there is no copy, with its files. */
async function install(): Promise<void> {
  const shell = await caches.open(SHELL + scope.BUILD)
  for (const locale of ['ta', 'en'] as const) {
    const path = localized(OFFLINE_PATH, locale)
    const page = await fetch(path, { credentials: 'omit', cache: 'no-cache', headers: { [FOR_COPY]: '1' } })
    if (!page.ok || !isFromMarket(page)) throw new Error('the offline page is missing')
    // Without React, which would look for a route at the address that this page stands in for.
    const html = withoutLateScript(await page.clone().text())
    await shell.put(path, stamped(page, html))
    for (const file of assetsIn(html)) await keepFile(file)
  }
  await scope.skipWaiting()
}

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(SHELL) && name !== SHELL + scope.BUILD)
  await Promise.all(old.map((name) => caches.delete(name)))
  const names = new Set(await caches.keys())
  await forgetCaches((name) => !names.has(name))
  await dropEndedLinks()
  await scope.clients.claim()
  // Take over the pages that were opened before the worker.
  for (const { url } of await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })) {
    if (copyKindOf(new URL(url).pathname) === 'never') continue
    const html = await copyPage(url.split('#')[0]!, { [FOR_COPY]: '1' })
    for (const file of html === null ? [] : assetsIn(html)) await keepFile(file)
  }
}

async function listCopies() {
  const mark = await ownerNow()
  return listPages(mark === null ? null : cacheOf(mark))
}
