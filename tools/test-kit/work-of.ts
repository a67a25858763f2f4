/** Below this, the figure is noise. */
const LEAST_MICROSECONDS = 2000

/** The least processor time of some runs, in microseconds. Other processes take none of it. */
export function workOf(act: () => unknown): number {
  const runs = Array.from({ length: 3 }, () => {
    const before = process.cpuUsage()
    act()
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  return Math.max(Math.min(...runs), LEAST_MICROSECONDS)
}
