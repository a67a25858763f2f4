/** The counters of this process since its start, in Prometheus form (operation/metrics.server.ts): `name{label="value"}`. */
const counts = new Map<string, number>()

/** Labels are our own patterns, codes and names, never user input: each combination is a permanent series. */
export type Labels = Record<string, string>

export function tally(name: string, labels: Labels = {}, by = 1): void {
  const series = seriesOf(name, labels)
  counts.set(series, (counts.get(series) ?? 0) + by)
}

/** Bucket bounds in seconds: from what a reader notices, through our promises, to a lost request. */
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
