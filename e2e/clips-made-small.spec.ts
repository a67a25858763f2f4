import type { Page } from '@playwright/test'
import { BufferSource, Input, WEBM } from 'mediabunny'
import { makeClip } from '#tools/test-kit/make-clip.ts'
import { expect, test, untilAlive } from './market.ts'
import { chooseSpecies, openStep, registerSeller } from './sellers.ts'

/** A WebM with moving colours and a tone, recorded by the browser: of two seconds, or longer until a slow machine has some frames in it. */
async function recordClip(page: Page, size: { width: number; height: number; alpha?: boolean }): Promise<Buffer> {
  for (let ms = 2000; ; ms *= 2) {
    const clip = await recordFor(ms, page, size)
    if (ms > 15_000 || (await framesIn(clip)) > 4) return clip
  }
}

async function framesIn(clip: Buffer): Promise<number> {
  const track = await new Input({ source: new BufferSource(clip), formats: [WEBM] }).getPrimaryVideoTrack()
  return track ? (await track.computePacketStats()).packetCount : 0
}

async function recordFor(ms: number, page: Page, { width, height, alpha = false }: Parameters<typeof recordClip>[1]): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ({ ms, width, height, alpha }) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const drawing = canvas.getContext('2d', { alpha })!
      let hue = 0
      const timer = setInterval(() => {
        drawing.fillStyle = `hsl(${(hue += 7)} 70% 50%)`
        drawing.clearRect(0, 0, width, height)
        drawing.fillRect(0, 0, alpha ? width / 2 : width, height)
      }, 200)
      const audio = new AudioContext()
      const [tone, sink] = [audio.createOscillator(), audio.createMediaStreamDestination()]
      tone.connect(sink)
      tone.start()
      const stream = new MediaStream([...canvas.captureStream(5).getTracks(), ...sink.stream.getTracks()])
      const recorder = new MediaRecorder(stream, { mimeType: 'video/webm;codecs=vp8,opus', videoBitsPerSecond: 400_000 })
      const parts: Blob[] = []
      recorder.ondataavailable = ({ data }) => void parts.push(data)
      const ended = new Promise((resolve) => (recorder.onstop = resolve))
      recorder.start()
      await new Promise((resolve) => setTimeout(resolve, ms))
      recorder.stop()
      await ended
      clearInterval(timer)
      const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    },
    { ms, width, height, alpha },
  )
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
