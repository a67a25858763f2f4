import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { BufferSource, Input, WEBM } from 'mediabunny'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { makeClip } from '#tools/test-kit/make-clip.ts'
import { expect, test, untilAlive } from './market.ts'
import { chooseSpecies, openStep, registerSeller } from './sellers.ts'

const LIBRARY = join(projectRoot, 'node_modules/mediabunny/dist/bundles/mediabunny.mjs')

/**
 * A WebM of two seconds with moving colours and a tone. The browser encodes frame by frame, so that a slow machine leaves none out, as it does
 * while recording: with no frame at all the file is damaged.
 */
async function recordClip(
  page: Page,
  { width, height, alpha = false }: { width: number; height: number; alpha?: boolean },
): Promise<Buffer> {
  const maker = await page.context().newPage()
  await maker.route('**/maker', (route) => route.fulfill({ contentType: 'text/html', body: '<title>Maker</title>' }))
  await maker.route('**/mediabunny.mjs', (route) => route.fulfill({ contentType: 'text/javascript', path: LIBRARY }))
  await maker.goto('/maker')
  const base64 = await maker.evaluate(
    async ({ width, height, alpha }) => {
      const library = '/mediabunny.mjs'
      const made = (await import(/* @vite-ignore */ library)) as typeof import('mediabunny')
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const drawing = canvas.getContext('2d', { alpha })!
      const picture = new made.CanvasSource(canvas, { codec: 'vp8', bitrate: 400_000, alpha: alpha ? 'keep' : 'discard' })
      const sound = new made.AudioBufferSource({ codec: 'opus', bitrate: 64_000 })
      const output = new made.Output({ format: new made.WebMOutputFormat(), target: new made.BufferTarget() })
      output.addVideoTrack(picture)
      output.addAudioTrack(sound)
      await output.start()
      const tone = new AudioBuffer({ length: 96_000, sampleRate: 48_000 })
      tone.getChannelData(0).forEach((_, n, wave) => (wave[n] = Math.sin(n / 17) / 4))
      for (let frame = 0; frame < 10; frame++) {
        drawing.fillStyle = `hsl(${frame * 35} 70% 50%)`
        drawing.clearRect(0, 0, width, height)
        drawing.fillRect(0, 0, alpha ? width / 2 : width, height)
        await picture.add(frame / 5, 0.2)
      }
      await sound.add(tone)
      await output.finalize()
      const bytes = new Uint8Array((output.target as import('mediabunny').BufferTarget).buffer!)
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    },
    { width, height, alpha },
  )
  await maker.close()
  return Buffer.from(base64, 'base64')
}

async function openClips(page: Page) {
  await registerSeller(page)
  await page.goto('/en/sell')
  await untilAlive(page)
  await chooseSpecies(page, 'Cow')
  await openStep(page, 'photos')
  return page.locator('#clips')
}

const file = (name: string, mimeType: string, buffer: Buffer) => ({ name, mimeType, buffer })

test('a screen recording that is taller than the server takes is made small and sent', async ({ page }) => {
  const clips = await openClips(page)
  const tall = await recordClip(page, { width: 1080, height: 2400 })
  await page.locator('#listing-clip').setInputFiles(file('screen.webm', 'video/webm', tall))
  await expect(clips.getByText('Video 1', { exact: true })).toBeVisible({ timeout: 60_000 })
})

test('a transparent recording is made small, too', async ({ page }) => {
  const clips = await openClips(page)
  const transparent = await recordClip(page, { width: 320, height: 1960, alpha: true })
  const input = new Input({ source: new BufferSource(transparent), formats: [WEBM] })
  expect(await (await input.getPrimaryVideoTrack())?.canBeTransparent()).toBe(true)
  await page.locator('#listing-clip').setInputFiles(file('sticker.webm', 'video/webm', transparent))
  await expect(clips.getByText('Video 1', { exact: true })).toBeVisible({ timeout: 60_000 })
})

test('a video whose sound the phone cannot read is sent without it only after a yes', async ({ page }) => {
  const clips = await openClips(page)
  const silent = await recordClip(page, { width: 320, height: 240 })
  const at = silent.indexOf('A_OPUS')
  expect(at).toBeGreaterThan(0)
  // The name of a codec that no browser knows, as AMR in old phones.
  silent.write('A_AMRX', at)
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('/clip-upload') && sent.push(request.url()))
  await page.locator('#listing-clip').setInputFiles(file('old-phone.webm', 'video/webm', silent))
  await expect(clips.getByRole('alert')).toContainText('cannot read the sound of this video')
  expect(sent).toEqual([])
  await clips.getByRole('button', { name: 'Send without sound' }).click()
  await expect(clips.getByText('Video 1', { exact: true })).toBeVisible({ timeout: 60_000 })
})

test('a video whose picture the phone cannot read, one without a picture, and one of an unknown kind say so before anything is sent', async ({
  page,
}) => {
  const clips = await openClips(page)
  const sent: string[] = []
  page.on('request', (request) => request.url().includes('/clip-upload') && sent.push(request.url()))
  const field = page.locator('#listing-clip')
  await field.setInputFiles(file('phone.mov', 'video/quicktime', await makeClip({ container: 'mov', video: 'hevc', sound: 'aac' })))
  await expect(clips.getByRole('alert')).toContainText('cannot read the picture of this video')
  await field.setInputFiles(file('sound.mp4', 'video/mp4', await makeClip({ video: null, sound: 'aac' })))
  await expect(clips.getByRole('alert')).toContainText('This file has sound and no picture.')
  const avi = Buffer.concat([Buffer.from('RIFF\0\0\x20\0AVI LIST'), Buffer.alloc(500_000)])
  await field.setInputFiles(file('old.avi', 'video/x-msvideo', avi))
  await expect(clips.getByRole('alert')).toContainText('This file cannot be shown as a video.')
  expect(sent).toEqual([])
})
