/** Asks the service worker that answers this page; null where there is none, or it says nothing. */
export function askWorker<T>(question: { ask: string; [more: string]: unknown }): Promise<T | null> {
  const worker = navigator.serviceWorker?.controller
  if (!worker) return Promise.resolve(null)
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data as T)
    worker.postMessage(question, [port2])
  })
}
