import { PICTURE_WIDTHS, mediaUrl, parseMediaName, PICTURE_FORMATS } from '#src/kit/media/media-url.ts'
import { records } from './store.ts'

const KEY = 'low-data'
let known: boolean | undefined

/** The person's choice; without one, or while it cannot be read, the phone's own data saver decides. */
export async function isLowData(): Promise<boolean> {
  known ??= (await records.read('facts', (facts) => facts.get(KEY)).catch(() => undefined)) as boolean | undefined
  return known ?? (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false
}

/** Stores a choice when one is given, and returns the current state. */
export async function switchLowData(isOn?: boolean): Promise<boolean> {
  if (isOn !== undefined) {
    await records.write('facts', (facts) => facts.put(isOn, KEY))
    known = isOn
  }
  return isLowData()
}

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
