/** "0:24 · 2.1 MB": the length and the data that it costs. */
export const clipText = ({ seconds, bytes }: { seconds: number; bytes: number }): string => `${lengthText(seconds)} · ${sizeText(bytes)}`

export function lengthText(seconds: number): string {
  const total = Math.max(1, Math.round(seconds))
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, '0')}`
}

const KB = 1024
export const sizeText = (bytes: number) => (bytes < 100 * KB ? `${Math.ceil(bytes / KB)} KB` : `${(bytes / KB / KB).toFixed(1)} MB`)
