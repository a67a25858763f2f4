import { PICTURE_WIDTHS, mediaUrl, parseMediaName, PICTURE_FORMATS } from '#src/kit/media/media-url.ts'
import { store } from './store.ts'

const KEY = 'low-data'
let known: boolean | undefined

/** As the person has switched it; untouched, as the phone's own data saver says. */
export async function isLowData(): Promise<boolean> {
  known ??= (await (await store()).get('facts', KEY)) as boolean | undefined
  return known ?? (navigator as { connection?: { saveData?: boolean } }).connection?.saveData ?? false
}

/** Switches it where a choice is given; answers how it is. */
export async function switchLowData(isOn?: boolean): Promise<boolean> {
  if (isOn !== undefined) {
    await (await store()).put('facts', isOn, KEY)
    known = isOn
  }
  return isLowData()
}

/** The address of the same picture at its smallest; null for what is no larger one. */
export function smallest(pathname: string): string | null {
  const name = parseMediaName(pathname.slice('/media/'.length))
  return name && name.width > PICTURE_WIDTHS[0] ? mediaUrl(name.key, PICTURE_WIDTHS[0], name.format) : null
}

/** All other addresses of the same picture: offline any of them is better than none. */
export function otherSizes(pathname: string): string[] {
  const name = parseMediaName(pathname.slice('/media/'.length))
  return name ? PICTURE_WIDTHS.toReversed().flatMap((width) => PICTURE_FORMATS.map((format) => mediaUrl(name.key, width, format))) : []
}
