/** A phone whose storage hangs leaves the worker without an answer: a form waits no longer than this. */
const LIMIT_MS = 10_000

/**
 * Sends a message to the service worker of this page. Returns its answer, or null when there is no worker or no answer
 * in time. `limitMs` null: the answer comes after requests to the server, however long they take.
 */
export function askWorker<T>(question: { ask: string; [more: string]: unknown }, limitMs: number | null = LIMIT_MS): Promise<T | null> {
  const worker = navigator.serviceWorker?.controller
  if (!worker) return Promise.resolve(null)
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data as T)
    if (limitMs !== null) setTimeout(resolve, limitMs, null)
    worker.postMessage(question, [port2])
  })
}
