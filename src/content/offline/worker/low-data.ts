import { PICTURE_WIDTHS, mediaUrl, parseMediaName, PICTURE_FORMATS, type PictureWidth } from '#src/kit/media/media-url.ts'
import { records } from './store.ts'

const KEY = 'low-data'
let known: boolean | undefined

/** The person's choice; without one, or while it cannot be read, the phone's own data saver decides. */
export async function isLowData(): Promise<boolean> {
  known ??= (await records.read('facts', (facts) => facts.get(KEY)).catch(() => undefined)) as boolean | undefined
  return known ?? (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false
}

/** Stores a choice when one is given; returns the current state, and the bytes saved so far. */
export async function switchLowData(isOn?: boolean): Promise<{ isOn: boolean; saved: number }> {
  if (isOn !== undefined) {
    await records.write('facts', (facts) => facts.put(isOn, KEY))
    known = isOn
  }
  return { isOn: await isLowData(), saved: await bytesSaved() }
}

/**
 * How many times the bytes of a picture's smallest rendition another one has, at least: measured on the sample pictures in every format (640: 2.2 to 2.9
 * times, 1280: 4.7 to 8.7). The real sizes are the server's, and asking for them would cost data.
 */
const TIMES_AS_MANY: Record<PictureWidth, number> = { 320: 1, 640: 2.2, 1280: 4.7, 2048: 4.7 }

/** The bytes saved when the smallest rendition is loaded instead of `wanted`. */
export function savedBytes(wanted: string, bytes: number): number {
  const name = parseMediaName(wanted.slice('/media/'.length))
  return name ? Math.round(bytes * (TIMES_AS_MANY[name.width] - 1)) : 0
}

const SAVED_KEY = 'low-data-saved'

/** Adds what one picture saved to the total of this phone. Never fails: the picture waits for it. */
export async function noteSaved(bytes: number): Promise<void> {
  const add = async (facts: { get(key: string): Promise<unknown>; put(value: unknown, key: string): Promise<unknown> }) =>
    facts.put((((await facts.get(SAVED_KEY)) as number | undefined) ?? 0) + bytes, SAVED_KEY)
  await records.write('facts', add).catch(() => null)
}

const bytesSaved = async () => ((await records.read('facts', (facts) => facts.get(SAVED_KEY))) as number | undefined) ?? 0

/** The address of the picture's smallest rendition; null when the address already names it or is no picture of ours. */
export function smallest(pathname: string): string | null {
  const name = parseMediaName(pathname.slice('/media/'.length))
  return name && name.width > PICTURE_WIDTHS[0] ? mediaUrl(name.key, PICTURE_WIDTHS[0], name.format) : null
}

/** The addresses of the picture's other renditions: offline, any of them is better than none. */
export function otherSizes(pathname: string): string[] {
  const name = parseMediaName(pathname.slice('/media/'.length))
  return name ? PICTURE_WIDTHS.toReversed().flatMap((width) => PICTURE_FORMATS.map((format) => mediaUrl(name.key, width, format))) : []
}
