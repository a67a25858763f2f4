/** What this process has counted since its start, as Prometheus writes it (operation/metrics.server.ts): `name{label="value"}`. */
const counts = new Map<string, number>()

/** Labels are patterns, codes and names of ours, never what people typed: each combination is a series for ever. */
export type Labels = Record<string, string>

export function tally(name: string, labels: Labels = {}, by = 1): void {
  const series = seriesOf(name, labels)
  counts.set(series, (counts.get(series) ?? 0) + by)
}

/** Upper bounds in seconds: what a reader notices, what the promises say, what is lost. */
const BOUNDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function observeSeconds(name: string, labels: Labels, seconds: number): void {
  for (const bound of BOUNDS) tally(`${name}_bucket`, { ...labels, le: String(bound) }, seconds <= bound ? 1 : 0)
  tally(`${name}_bucket`, { ...labels, le: '+Inf' })
  tally(`${name}_sum`, labels, seconds)
  tally(`${name}_count`, labels)
}

export const tallied = (): ReadonlyMap<string, number> => counts

export function seriesOf(name: string, labels: Labels): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value.replace(/[\\"\n]/g, '_')}"`)
  return pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`
}
