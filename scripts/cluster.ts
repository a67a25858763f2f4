import cluster, { type Worker } from 'node:cluster'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The delay before a process that failed to start is started again, for instance while the database is unreachable. */
const AGAIN_MS = 2000

/**
 * Runs `processes` processes of the site on one port (node:cluster). Replaces one that dies, and on SIGTERM lets all finish their requests. The first
 * process starts alone, so that migrations and the sample market run once; if it refuses to start, everything ends. Each process has its own operator
 * port, counted up from OPERATOR_PORT.
 */
export async function startCluster(processes: number): Promise<void> {
  // Each process accepts its connections itself. If the first process distributed them, one could reach a process that is just ending and be cut.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: join(import.meta.dirname, '../server.ts'), args: [] })
  let isStopping = false
  const stop = () => {
    isStopping = true
    // A process that has already received a signal, as from systemd or a terminal, ignores this.
    for (const worker of Object.values(cluster.workers ?? {})) worker?.send('stop')
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  const keep = async (number: number) => {
    for (let isFirst = true; !isStopping; isFirst = false) {
      const { code, wasOpen } = await exitOf(fork(number), () => isFirst && number === 0 && startOthers())
      if (isFirst && number === 0 && !wasOpen) process.exit(code || 1)
      if (isStopping) return
      console.error(`Process ${number} of the site has ended${code === null ? '' : ` (${code})`}; another one takes its place.`)
      if (!wasOpen) await sleep(AGAIN_MS)
    }
  }
  const others: Promise<void>[] = []
  const startOthers = () => {
    for (let number = 1; number < processes; number += 1) others.push(keep(number))
  }
  await keep(0)
  await Promise.all(others)
  process.exit(0)
}

function fork(number: number): Worker {
  const first = process.env.OPERATOR_PORT
  return cluster.fork(first ? { OPERATOR_PORT: String(Number(first) + number) } : {})
}

function exitOf(worker: Worker, onOpen: () => void): Promise<{ code: number | null; wasOpen: boolean }> {
  let wasOpen = false
  worker.on('listening', () => {
    if (!wasOpen) onOpen()
    wasOpen = true
  })
  // Ignore a failed message to a process that is just ending.
  worker.on('error', () => {})
  return new Promise((resolve) => worker.once('exit', (code: number | null) => resolve({ code, wasOpen })))
}
