/** Checks and rewrites a stranger's file in a separate process with little memory, little time and no rights. */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { turns } from '#src/kit/base/turns.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { heldMemory } from '../held-memory.server.ts'
import { clipLimits, type ClipKind } from './clip-limits.ts'
import { ClipRefused, type ClipRefusal } from './clip-refused.ts'
import type { ClipFacts, RemuxedClip } from './remux-clip.ts'

/** Processor time. A clip of 3 MB takes a third of a second. The time-out is longer, because the machine may be busy. */
const MOST_CPU_MS = 3000
const TIMEOUT_MS = 30_000
/** Heap of the scripts. Ordinary clips need 15 MB of it. */
const HEAP_MB = 96
/** Total memory: Node itself takes 60 MB, the worst hostile test file 110 MB more. */
const MOST_MEMORY_BYTES = 256 * 1024 * 1024
const LOOK_EVERY_MS = 20
/** Linux counts processor time in hundredths of a second. */
const MS_PER_TICK = 10
/** Room for the facts beside the new file. A rewritten clip is hardly larger than the original. */
const MOST_ANSWER_BYTES = 2 * clipLimits.video.bytes

const folder = join(projectRoot, 'src/kit/media/clips')
const readable = [folder, join(projectRoot, 'node_modules/mediabunny'), join(projectRoot, 'package.json')]
const flags = [
  '--permission',
  ...readable.map((path) => `--allow-fs-read=${path}`),
  `--max-old-space-size=${HEAP_MB}`,
  '--max-semi-space-size=4',
  '--disable-warning=ExperimentalWarning',
]

/** One at a time; while twenty wait, the next is UNAVAILABLE. */
const inTurn = turns({ atOnce: 1, mostWaiting: 20 })

/** Throws ClipRefused for anything that is not a whole clip, or voice note, of a kind that we show. */
export const checkClip = (bytes: Buffer, kind: ClipKind): Promise<RemuxedClip> => inTurn(() => runChild(bytes, kind))

async function runChild(bytes: Buffer, kind: ClipKind): Promise<RemuxedClip> {
  if (bytes.length > clipLimits[kind].bytes) throw new ClipRefused('too-large-bytes')
  const child = spawn(process.execPath, [...flags, join(folder, 'remux-process.ts'), kind], {
    cwd: projectRoot,
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const answer: Buffer[] = []
  let length = 0
  const stop = () => child.kill('SIGKILL')
  const timer = setTimeout(stop, TIMEOUT_MS)
  const watch = setInterval(() => void isExcessive(child.pid).then((isToo) => isToo && stop()), LOOK_EVERY_MS)
  child.stdout.on('data', (chunk: Buffer) => {
    length += answer.push(chunk) && chunk.length
    if (length > MOST_ANSWER_BYTES) stop()
  })
  // The process ended before it had read all of its input.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  }).finally(() => {
    clearTimeout(timer)
    clearInterval(watch)
  })
  // Killed, or out of memory: an ordinary clip never causes this.
  if (code !== 0) throw new ClipRefused('broken')
  return readAnswer(Buffer.concat(answer))
}

function readAnswer(answer: Buffer): RemuxedClip {
  const end = answer.indexOf('\n')
  const reply = JSON.parse(answer.subarray(0, end).toString('utf8')) as ClipFacts | { refused: ClipRefusal }
  if ('refused' in reply) throw new ClipRefused(reply.refused)
  return { ...reply, bytes: answer.subarray(end + 1) }
}

/**
 * Whether the process uses more memory or processor time than any clip needs. Only Linux reports it; elsewhere the heap and the time-out
 * are the only limits.
 */
async function isExcessive(pid: number | undefined): Promise<boolean> {
  const [heldBytes, stat] = await Promise.all([heldMemory(pid), readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')])
  // Skip the name, which may contain spaces: user and system time are the twelfth and thirteenth fields.
  const times = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const cpuMs = (Number(times[11] ?? 0) + Number(times[12] ?? 0)) * MS_PER_TICK
  return heldBytes > MOST_MEMORY_BYTES || cpuMs > MOST_CPU_MS
}
