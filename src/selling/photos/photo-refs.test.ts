import { expect, test } from 'vitest'
import { goneRefs, listedRef, photosOf, readRef, withGone, withoutGone } from '#src/selling/unsent/photo-refs.ts'

const form = (...entries: [string, string][]) => {
  const data = new FormData()
  for (const [name, value] of entries) data.append(name, value)
  return data
}

test('a reference names a photo of the listing or of the draft; anything else is no reference', () => {
  expect(readRef(listedRef(7))).toEqual({ isListed: true, id: 7 })
  expect(readRef('12')).toEqual({ isListed: false, id: 12 })
  for (const wrong of ['', '0', 'listed-', 'listed-0', '1 2', '-1', '9'.repeat(16), null]) expect(readRef(wrong)).toBeNull()
})

test('the main photo comes first, a removed photo is left out, and a photo named twice counts once', () => {
  const photos = ['listed-7', 'listed-8', '12', 'listed-7', 'nonsense'].map((ref): [string, string] => ['photo', ref])
  expect(photosOf(form(...photos))).toEqual(['listed-7', 'listed-8', '12'])
  expect(photosOf(form(...photos, ['mainPhoto', '12'], ['gonePhotos', 'listed-8']))).toEqual(['12', 'listed-7'])
  expect(photosOf(form(...photos, ['mainPhoto', '12'], ['gonePhotos', '12']))).toEqual(['listed-7', 'listed-8'])
})

test('a removed photo can be brought back, and is removed once', () => {
  const gone = withGone(withGone(undefined, 'listed-8'), '12')
  expect(goneRefs(withGone(gone, '12'))).toEqual(['listed-8', '12'])
  expect(withoutGone(gone, 'listed-8')).toBe('12')
  expect(withoutGone('12', '12')).toBe('')
})
