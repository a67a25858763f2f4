/** Sends a message to the service worker of this page. Returns its answer, or null when there is no worker or no answer. */
export function askWorker<T>(question: { ask: string; [more: string]: unknown }): Promise<T | null> {
  const worker = navigator.serviceWorker?.controller
  if (!worker) return Promise.resolve(null)
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data as T)
    worker.postMessage(question, [port2])
  })
}
