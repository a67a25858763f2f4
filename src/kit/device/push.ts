import { send } from '#src/kit/http/post-json.ts'

/** `off`: not switched on, or not in this session. `denied`: blocked in the browser. */
type PushState = 'off' | 'on' | 'denied'

export interface PushDevice {
  id: number
  device: string
  isthis: boolean
}

/** Whether this browser supports push messages; on an iPhone only the installed app does. */
export const canShowMessages = () => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/** Returns the person's devices that the server knows. Null: push is switched off, nobody is logged in, or the browser is offline. */
export async function readPush(): Promise<{ state: PushState; key: string; devices: PushDevice[] } | null> {
  try {
    const { key } = (await (await fetch('/api/v1/push-key')).json()) as { key: string | null }
    const answer = await fetch('/api/v1/push-devices')
    if (key === null || !answer.ok) return null
    const devices = (await answer.json()) as PushDevice[]
    if (Notification.permission === 'denied') return { state: 'denied', key, devices }
    const isSubscribed = Notification.permission === 'granted' && (await subscriptionHere()) !== null
    return { state: isSubscribed && devices.some(({ isthis }) => isthis) ? 'on' : 'off', key, devices }
  } catch {
    return null
  }
}

const subscriptionHere = async () => (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null

/** Call this after a tap, because browsers show their prompt only then. `failed`: offline, or the push service gave no address. */
export async function switchPushOn(key: string): Promise<'on' | 'denied' | 'failed'> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  try {
    const { pushManager } = await navigator.serviceWorker.ready
    const old = await pushManager.getSubscription()
    // A subscription for another server key is useless.
    if (old && keyOf(old) !== key) await old.unsubscribe()
    const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
    const { endpoint, keys } = subscription.toJSON()
    const { ok } = await send('POST', '/api/v1/push-devices', { endpoint, keys })
    return ok ? 'on' : 'failed'
  } catch {
    return 'failed'
  }
}

const keyOf = ({ options }: PushSubscription) =>
  btoa(String.fromCharCode(...new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** Returns false when offline. */
export async function switchPushOff({ id, isthis }: PushDevice): Promise<boolean> {
  try {
    const { ok, status } = await send('DELETE', `/api/v1/push-device/id=${id}`)
    if (isthis) await (await subscriptionHere())?.unsubscribe()
    return ok || status === 404
  } catch {
    return false
  }
}
