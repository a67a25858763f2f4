/** Decodes uploaded pictures in separate processes with limited memory and no rights. They exit when no pictures arrive. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { turns } from '#src/kit/base/turns.server.ts'
import { heldMemory } from './held-memory.server.ts'
import { ensurePicture, PictureRefused, type PictureRefusal, type ProcessedPicture } from './pictures.server.ts'

export type PictureAnswer = { picture: ProcessedPicture } | { refused: PictureRefusal }

/** The largest picture within the pixel limits takes 255 MB, a photo of 12 megapixels 180 MB. */
const MOST_MEMORY_BYTES = 384 * 1024 * 1024
const LOOK_EVERY_MS = 20
/** Longer than the picture library's own time-out, because the machine may be busy. */
const TIMEOUT_MS = 60_000
/** Pictures often arrive in threes. After this idle time, the process exits and frees its memory. */
const REST_MS = 10_000
/** Below this memory, the site and two concurrent decodes do not fit. */
const ROOMY_BYTES = 1024 * 1024 * 1024

/** The machine's memory, or the limit that the operator sets for this process. */
const memory = Math.min(totalmem(), process.constrainedMemory() || Infinity)
/** One per core; on larger machines, leaves cores to the rest of the site. */
export const PICTURES_AT_ONCE = memory < ROOMY_BYTES ? 1 : Math.min(availableParallelism(), 3)

const folder = join(projectRoot, 'src/kit/media')
const readable = [
  folder,
  join(projectRoot, 'src/kit/base/project-root.server.ts'),
  join(projectRoot, 'node_modules'),
  join(projectRoot, 'package.json'),
]
export const decoderFlags = [
  '--permission',
  '--allow-addons',
  ...readable.map((path) => `--allow-fs-read=${path}`),
  '--max-old-space-size=64',
  '--max-semi-space-size=4',
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=SecurityWarning',
]

/** Thrown when a process ends during a picture. */
class Ended extends Error {
  readonly isTooLarge: boolean

  constructor(isTooLarge: boolean) {
    super('The process for pictures ended.')
    this.isTooLarge = isTooLarge
  }
}

/** One process that decodes one picture at a time. */
class Decoder {
  readonly child: ChildProcess
  isBusy = false
  #resting: NodeJS.Timeout | undefined

  constructor() {
    this.child = fork(join(folder, 'picture-process.ts'), {
      cwd: projectRoot,
      execArgv: decoderFlags,
      // With one malloc arena for all threads, the next picture reuses the memory of the previous one: 180 MB instead of 310 MB after five photos.
      env: { MALLOC_ARENA_MAX: '1' },
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    // If the machine runs out of memory, the kernel kills this process and not the site.
    void writeFile(`/proc/${this.child.pid}/oom_score_adj`, '1000').catch(() => {})
  }

  /** Throws PictureRefused or Ended. */
  async process(bytes: Buffer, mostMemoryBytes: number): Promise<ProcessedPicture> {
    const { child } = this
    let isTooLarge = false
    const watch = setInterval(async () => {
      if ((await heldMemory(child.pid)) > mostMemoryBytes) isTooLarge = child.kill('SIGKILL')
    }, LOOK_EVERY_MS)
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS)
    const over = new AbortController()
    try {
      child.send(bytes)
      const answer = await Promise.race([
        once(child, 'message', over).then(([message]) => message as PictureAnswer),
        once(child, 'exit', over).then(() => Promise.reject(new Ended(isTooLarge))),
      ])
      if ('refused' in answer) throw new PictureRefused(answer.refused)
      return answer.picture
    } finally {
      clearInterval(watch)
      clearTimeout(timer)
      over.abort()
    }
  }

  /** Lets the idle process exit after a while. The timer does not keep the parent alive. */
  rest(ms: number): void {
    this.isBusy = false
    // The kernel may have killed the idle process meanwhile; a second disconnect would be an uncaught error, which ends the site.
    this.#resting = setTimeout(() => this.child.connected && this.child.disconnect(), ms).unref()
    this.child.unref()
    this.child.channel?.unref()
  }

  wake(): void {
    this.isBusy = true
    clearTimeout(this.#resting)
    this.child.ref()
    this.child.channel?.ref()
  }
}

/** A pool of decoder processes, started on demand. */
export class Decoders {
  readonly #inTurn: ReturnType<typeof turns>
  readonly #mostMemoryBytes: number
  readonly #restMs: number
  readonly #living = new Set<Decoder>()

  constructor({ mostMemoryBytes = MOST_MEMORY_BYTES, restMs = REST_MS, atOnce = PICTURES_AT_ONCE } = {}) {
    this.#inTurn = turns({ atOnce })
    this.#mostMemoryBytes = mostMemoryBytes
    this.#restMs = restMs
  }

  /** Throws PictureRefused unless the bytes are a complete JPEG or PNG of a reasonable size that decodes within the memory and time limits. */
  async process(bytes: Buffer): Promise<ProcessedPicture> {
    ensurePicture(bytes)
    return this.#inTurn(async () => {
      try {
        return await this.#processOnce(bytes).catch((error: unknown) => {
          // The kernel may have killed the process for memory that others used, so try the picture once more.
          if (error instanceof Ended && !error.isTooLarge) return this.#processOnce(bytes)
          throw error
        })
      } catch (error) {
        if (!(error instanceof Ended)) throw error
        throw new PictureRefused(error.isTooLarge ? 'too-many-pixels' : 'broken', { cause: error })
      }
    })
  }

  async #processOnce(bytes: Buffer): Promise<ProcessedPicture> {
    const decoder = [...this.#living].find(({ isBusy }) => !isBusy) ?? this.#start()
    decoder.wake()
    try {
      return await decoder.process(bytes, this.#mostMemoryBytes)
    } finally {
      if (this.#living.has(decoder)) decoder.rest(this.#restMs)
    }
  }

  #start(): Decoder {
    const decoder = new Decoder()
    this.#living.add(decoder)
    for (const end of ['exit', 'disconnect']) decoder.child.once(end, () => this.#living.delete(decoder))
    return decoder
  }

  get processes(): ChildProcess[] {
    return [...this.#living].map(({ child }) => child)
  }
}

const pool = new Decoders()
export const processApart = (bytes: Buffer): Promise<ProcessedPicture> => pool.process(bytes)
