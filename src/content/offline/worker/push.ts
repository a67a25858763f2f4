import type { PushPayload } from '#src/accounts/notifications/notification.ts'
import { m } from '#src/paraglide/messages.js'
import { ownerNow, readToken } from './owner.ts'
import { scope, type PushEvent, type SubscriptionEvent, type TapEvent } from './scope.ts'

/**
 * Shows a notification (decision 0076) and reports to the server that it was shown. If another person or nobody is logged in by now, the
 * phone only says that there is news, and the server sends the SMS.
 */
export async function showPush({ data }: PushEvent): Promise<void> {
  const payload = data?.json() as PushPayload | undefined
  if (!payload) return
  const { id, shown, device, stop, locale, text, path, tag, owner } = payload
  const isTheirs = (await ownerNow()) === owner
  await scope.registration.showNotification(m.device_short_name({}, { locale }), {
    body: isTheirs ? text : m.push_hidden({}, { locale }),
    lang: locale,
    tag,
    // Without `renotify`, the second notification of a tag makes no sound.
    renotify: true,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    data: { path, device, stop, owner } satisfies Tapped,
    actions: [{ action: 'stop', title: m.push_stop({}, { locale }) }],
  })
  if (isTheirs) await post('/api/v1/push-shown', { id, mark: shown })
}

type Tapped = Pick<PushPayload, 'path' | 'device' | 'stop' | 'owner'>

export async function answerTap({ action, notification }: TapEvent): Promise<void> {
  notification.close()
  const { path, device, stop, owner } = notification.data as Tapped
  if (action !== 'stop') return open(new URL(path, scope.location.origin).href)
  await post('/api/v1/push-stop', { id: device, mark: stop })
  // Somebody who logged in since then keeps theirs.
  if ((await ownerNow()) === owner) await (await scope.registration.pushManager.getSubscription())?.unsubscribe()
}

/** Focuses the window that already shows this page, else opens a new one, so that text typed in another window stays. */
async function open(url: string): Promise<void> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const withoutHash = (address: string) => address.split('#')[0]
  const there = pages.find((page) => withoutHash(page.url) === withoutHash(url))
  if (!there) {
    const opened = await scope.clients.openWindow(url).catch(() => null)
    if (opened || !pages[0]) return
  }
  // Some browsers open no second window for an installed app.
  const page = there ?? pages[0]!
  if (page.url !== url) await page.navigate(url).catch(() => null)
  await page.focus().catch(() => null)
}

/** The push service has given this browser another address. */
export async function subscribeAgain({ newSubscription, oldSubscription }: SubscriptionEvent): Promise<void> {
  const options = oldSubscription?.options
  const fresh = newSubscription ?? (options && (await scope.registration.pushManager.subscribe(options)))
  const csrf = await readToken()
  if (!fresh || csrf === null) return
  const { endpoint, keys } = fresh.toJSON()
  await post('/api/v1/push-devices', { endpoint, keys }, { 'X-CSRFToken': csrf })
}

/** Offline the server gets no report, so it sends the SMS. */
const post = (path: string, body: object, headers = {}) =>
  fetch(path, { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) }).catch(() => null)
