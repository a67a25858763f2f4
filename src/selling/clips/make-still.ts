/** A still picture from the clip's first second. Null when this browser cannot play the clip. */

const AT_SECONDS = 1
const GIVE_UP_AFTER_MS = 8000
const QUALITY = 0.75

export async function makeStill(clip: Blob): Promise<Blob | null> {
  const url = URL.createObjectURL(clip)
  const video = Object.assign(document.createElement('video'), { muted: true, playsInline: true, preload: 'auto', src: url })
  try {
    await heard(video, 'loadeddata')
    const seconds = Number.isFinite(video.duration) ? video.duration : AT_SECONDS
    video.currentTime = Math.min(AT_SECONDS, seconds / 2)
    await heard(video, 'seeked')
    const canvas = Object.assign(document.createElement('canvas'), { width: video.videoWidth, height: video.videoHeight })
    canvas.getContext('2d')!.drawImage(video, 0, 0)
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY))
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(url)
  }
}

const heard = (video: HTMLVideoElement, event: string) =>
  new Promise<void>((resolve, reject) => {
    video.addEventListener(event, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(new Error('This browser cannot play the clip.')), { once: true })
    setTimeout(() => reject(new Error('The clip does not start.')), GIVE_UP_AFTER_MS)
  })
