/** "0:24 · 2.1 MB": how long one listens or looks, and what it costs. */
export const clipText = ({ seconds, bytes }: { seconds: number; bytes: number }): string => `${lengthText(seconds)} · ${sizeText(bytes)}`

export function lengthText(seconds: number): string {
  const whole = Math.max(1, Math.round(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

const KB = 1024
const sizeText = (bytes: number) => (bytes < 100 * KB ? `${Math.ceil(bytes / KB)} KB` : `${(bytes / KB / KB).toFixed(1)} MB`)
