import { EnvError, readEnv } from '#src/kit/base/env.server.ts'
import { buildIfNeeded } from './build.ts'
import { startCluster } from './cluster.ts'

buildIfNeeded()
const processes = readProcesses()
if (processes > 1) await startCluster(processes)
else await import('../server.ts')

/** The number of processes from CLUSTER. Reports configuration errors once here, not in each process. */
function readProcesses(): number {
  try {
    return readEnv(process.env).processes
  } catch (error) {
    for (const line of error instanceof EnvError ? error.lines : [String(error)]) console.error(line)
    process.exit(1)
  }
}
