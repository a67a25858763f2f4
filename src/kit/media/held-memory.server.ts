import { readFile } from 'node:fs/promises'

/** Returns the resident memory of a process in bytes. Works on Linux only; returns 0 elsewhere and for a process that has ended. */
export async function heldMemory(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024
}
