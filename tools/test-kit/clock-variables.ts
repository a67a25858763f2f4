/**
 * The variables by which `npm run test:deep` moves the clock of all processes (scripts/moved-clock.ts). A test that starts a process with an environment of
 * its own adds them, or that process would have another time than the test.
 */
export const clockVariables: Record<string, string> = Object.fromEntries(
  ['LD_PRELOAD', 'MOVED_CLOCK'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  }),
)
