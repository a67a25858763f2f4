import type { CopyKind } from '#src/content/offline/names.ts'

/** The part of the service worker's global scope that we use. TypeScript's own `webworker` library cannot be loaded beside `dom`. */
interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

export interface FetchEvent extends LastingEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

interface MessageFromPage extends LastingEvent {
  readonly data: unknown
  readonly ports: readonly MessagePort[]
}

interface SyncEvent extends LastingEvent {
  readonly tag: string
}

export interface PushEvent extends LastingEvent {
  readonly data: { json(): unknown } | null
}

/** A tap on a notification, or on one of its buttons. */
export interface TapEvent extends LastingEvent {
  readonly action: string
  readonly notification: { readonly data: unknown; close(): void }
}

export interface SubscriptionEvent extends LastingEvent {
  readonly newSubscription?: PushSubscription | null
  readonly oldSubscription?: PushSubscription | null
}

interface OpenPage {
  readonly url: string
  postMessage(what: unknown): void
  focus(): Promise<unknown>
  navigate(url: string): Promise<unknown>
}

interface WorkerScope {
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageFromPage) => void): void
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void
  addEventListener(type: 'notificationclick', listener: (event: TapEvent) => void): void
  addEventListener(type: 'pushsubscriptionchange', listener: (event: SubscriptionEvent) => void): void
  skipWaiting(): Promise<void>
  readonly location: Location
  readonly registration: {
    readonly sync?: { register(tag: string): Promise<void> }
    readonly pushManager: PushManager
    showNotification(title: string, options: object): Promise<void>
  }
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly OpenPage[]>
    openWindow(url: string): Promise<unknown>
  }
  readonly caches: CacheStorage
  readonly cookieStore?: { get(name: string): Promise<{ value?: string } | null> }
  /** The server writes both in front of the worker's code (device.server.ts). */
  readonly BUILD: string
  readonly COPIED: readonly (readonly [pattern: string, kind: CopyKind])[]
}

// TypeScript cannot load the types of service workers beside those of pages, so the scope is typed here.
export const scope = globalThis as unknown as WorkerScope

/** The phone's own data saver is on: nothing is fetched before somebody asks for it. */
export const savesData = (): boolean => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false
