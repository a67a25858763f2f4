/** Checks and rewrites a file of a stranger in a process of its own, which has little memory, little time, and no rights. */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { turns } from '#src/kit/device/turns.ts'
import { projectRoot } from '#src/kit/project-root.server.ts'
import { clipLimits, type ClipKind } from './clip-limits.ts'
import { ClipRefused, type ClipRefusal } from './clip-refused.ts'
import type { ClipFacts, RemuxedClip } from './remux-clip.ts'

/** Of a processor: a clip of 3 MB takes a third of a second. The wait is longer, because the machine may be busy. */
const MOST_CPU_MS = 3000
const TIMEOUT_MS = 30_000
/** Of what scripts hold. Ordinary clips need 15 MB of it. */
const HEAP_MB = 96
/** Of all: Node itself takes 60 MB, the worst of our hostile files 110 MB more. */
const MOST_MEMORY_BYTES = 256 * 1024 * 1024
const LOOK_EVERY_MS = 20
/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10
/** Beside the new file, its facts. A rewritten clip is hardly larger than the one that came. */
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

/** One at a time: whoever comes while twenty wait is UNAVAILABLE. */
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
  // One that ended before it had read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  }).finally(() => {
    clearTimeout(timer)
    clearInterval(watch)
  })
  // Killed, or out of memory: no ordinary clip does that.
  if (code !== 0) throw new ClipRefused('broken')
  return readAnswer(Buffer.concat(answer))
}

function readAnswer(answer: Buffer): RemuxedClip {
  const end = answer.indexOf('\n')
  const said = JSON.parse(answer.subarray(0, end).toString('utf8')) as ClipFacts | { refused: ClipRefusal }
  if ('refused' in said) throw new ClipRefused(said.refused)
  return { ...said, bytes: answer.subarray(end + 1) }
}

/** Whether it holds or reckons more than any clip needs. Linux says so; elsewhere the heap and the time-out are the only bounds. */
async function isExcessive(pid: number | undefined): Promise<boolean> {
  const [status, stat] = await Promise.all(['status', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')))
  const heldBytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status!)?.[1] ?? 0) * 1024
  // Behind the name, which may hold blanks: the time in the program and in the kernel are the twelfth and thirteenth.
  const times = stat!.slice(stat!.lastIndexOf(')') + 2).split(' ')
  const cpuMs = (Number(times[11] ?? 0) + Number(times[12] ?? 0)) * MS_PER_TICK
  return heldBytes > MOST_MEMORY_BYTES || cpuMs > MOST_CPU_MS
}
