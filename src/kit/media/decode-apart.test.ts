import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import sharp from 'sharp'
import { describe, expect, test, vi } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { decoderFlags, Decoders, PICTURES_AT_ONCE } from './decode-apart.server.ts'
import { PictureRefused, processPicture, type ProcessedPicture } from './pictures.server.ts'

/** A grainy field, like a phone photo of this size. */
const photo = (width: number, height: number, { progressive = false } = {}) =>
  sharp({ create: { width, height, channels: 3, background: '#675', noise: { type: 'gaussian', mean: 128, sigma: 30 } } })
    .blur(2)
    .jpeg({ progressive })
    .toBuffer()
const reasonOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'accepted',
    (error: unknown) => (error instanceof PictureRefused ? error.reason : String(error)),
  )
/** The encoders of two processes may differ by a byte, so compare only the shape. */
const shape = ({ variants, ...facts }: ProcessedPicture) => ({
  ...facts,
  variants: variants.map(({ width, format, bytes }) => ({ width, format, isThere: Buffer.isBuffer(bytes) && bytes.length > 100 })),
})
/** Only Linux reports a process's memory and lets a parent choose what the kernel kills first. */
const onLinux = test.runIf(existsSync('/proc/self/oom_score_adj'))

describe('an uploaded picture', () => {
  test('decodes in the child as in this process, and one child decodes several pictures', async () => {
    const decoders = new Decoders()
    const [first, second] = [await photo(900, 700), await photo(400, 800)]
    expect(shape(await decoders.process(first))).toEqual(shape(await processPicture(first)))
    const [child] = decoders.processes
    expect(shape(await decoders.process(second))).toEqual(shape(await processPicture(second)))
    expect(decoders.processes).toEqual([child])
  })

  test('is refused for the same reason as in this process', async () => {
    const decoders = new Decoders()
    expect(await reasonOf(decoders.process(Buffer.from('no picture')))).toBe('not-a-picture')
    expect(decoders.processes).toEqual([])
    expect(await reasonOf(decoders.process((await photo(900, 700)).subarray(0, 3000)))).toBe('broken')
    expect(await reasonOf(decoders.process(await photo(30, 700)))).toBe('too-small')
    expect(await reasonOf(decoders.process(await photo(900, 700)))).toBe('accepted')
  })

  test('waits for its turn: a crowd starts at most `atOnce` processes', async () => {
    const decoders = new Decoders({ atOnce: 2 })
    const bytes = await photo(300, 300)
    await Promise.all(Array.from({ length: 7 }, () => decoders.process(bytes)))
    expect(decoders.processes).toHaveLength(2)
    expect(PICTURES_AT_ONCE).toBeGreaterThan(0)
  })

  test('is retried once when its process is killed; killed again it is refused, and the next picture succeeds', async () => {
    const decoders = new Decoders({ atOnce: 1 })
    const bytes = await photo(2500, 2500)
    const endNew = async (before: unknown) => {
      await vi.waitUntil(() => decoders.processes[0] && decoders.processes[0] !== before, { timeout: 60_000, interval: 1 })
      const [child] = decoders.processes
      child!.kill('SIGKILL')
    }
    const once = decoders.process(bytes)
    await endNew(undefined)
    expect(await reasonOf(once)).toBe('accepted')

    const [first] = decoders.processes
    const twice = decoders.process(bytes)
    first!.kill('SIGKILL')
    await endNew(first)
    expect(await reasonOf(twice)).toBe('broken')
    expect(await reasonOf(decoders.process(bytes))).toBe('accepted')
  })

  onLinux('is refused when it takes more memory than any photo, and its process is the first that the kernel would end', async () => {
    const decoders = new Decoders({ mostMemoryBytes: 150 * 1024 * 1024 })
    const wide = await sharp({ create: { width: 4000, height: 4000, channels: 4, background: '#8885' } })
      .toColourspace('rgb16')
      .png({ progressive: true })
      .toBuffer()
    expect(await reasonOf(decoders.process(wide))).toBe('too-many-pixels')
    expect(decoders.processes).toEqual([])
    await decoders.process(await photo(300, 300))
    expect(readFileSync(`/proc/${decoders.processes[0]!.pid}/oom_score_adj`, 'utf8').trim()).toBe('1000')
  })

  test('leaves no process running when no more arrive', async () => {
    const decoders = new Decoders({ restMs: 20 })
    await decoders.process(await photo(300, 300))
    const [child] = decoders.processes
    await vi.waitUntil(() => child!.exitCode === 0, { timeout: 60_000 })
    expect(decoders.processes).toEqual([])
  })

  test('does no harm when its idle process was killed before it would have exited', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const decoders = new Decoders({ restMs: 1000 })
      await decoders.process(await photo(300, 300))
      const [child] = decoders.processes
      const ended = once(child!, 'exit')
      child!.kill('SIGKILL')
      await ended
      // An error that the process object reports here would end the site.
      vi.advanceTimersByTime(1000)
      expect(decoders.processes).toEqual([])
    } finally {
      vi.useRealTimers()
    }
  })

  test('is decoded without the right to read the site’s files or to start processes', async () => {
    expect(await saidBy(`require('node:fs').readFileSync('${join(projectRoot, '.env.example')}')`)).toMatch('ERR_ACCESS_DENIED')
    expect(await saidBy(`require('node:child_process').execFileSync('true')`)).toMatch('ERR_ACCESS_DENIED')
    // Control: without the flags, the script reads the file.
    expect(await saidBy(`require('node:fs').readFileSync('${join(projectRoot, '.env.example')}')`, [])).toBe('')
  })
})

async function saidBy(code: string, flags = decoderFlags): Promise<string> {
  const child = spawn(process.execPath, [...flags, '-e', code], { cwd: projectRoot, stdio: ['ignore', 'ignore', 'pipe'] })
  return text(child.stderr)
}
