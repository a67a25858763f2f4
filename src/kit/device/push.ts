import { send } from '#src/kit/http/post-json.ts'

/** `off`: nobody has asked for it, or not in this login; `denied`: the browser was told never to ask. */
export type PushState = 'off' | 'on' | 'denied'

export interface PushDevice {
  id: number
  device: string
  isthis: boolean
}

/** Whether this browser could show messages; on a phone of Apple only the installed market can. */
export const canShowMessages = () => 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/** What the server knows of one's devices. Null: the market shows no messages, nobody is logged in, or there is no line. */
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

/** After a tap: only then browsers show their own question. `failed`: no line, or the browser's maker gave no address. */
export async function switchPushOn(key: string): Promise<'on' | 'denied' | 'failed'> {
  if ((await Notification.requestPermission()) !== 'granted') return 'denied'
  try {
    const { pushManager } = await navigator.serviceWorker.ready
    const old = await pushManager.getSubscription()
    // One that was made for another key is of no use to us.
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

/** False: no line. */
export async function switchPushOff({ id, isthis }: PushDevice): Promise<boolean> {
  try {
    const { ok, status } = await send('DELETE', `/api/v1/push-device/id=${id}`)
    if (isthis) await (await subscriptionHere())?.unsubscribe()
    return ok || status === 404
  } catch {
    return false
  }
}
