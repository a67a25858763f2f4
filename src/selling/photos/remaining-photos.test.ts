import { expect, test } from 'vitest'
import { remainingPhotos } from './remaining-photos.ts'

function form(...fields: [string, string][]): FormData {
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

test('the pictures of an edited listing stay in the order their seller gave them, without the removed ones', () => {
  expect(remainingPhotos(form(['photo', '7'], ['photo', '8'], ['photo', '9'], ['place-9', '0'], ['place-7', '1'], ['gone', '8']))).toEqual([
    9, 7,
  ])
})

test('a picture that a form names twice is one', () => {
  expect(remainingPhotos(form(['photo', '7'], ['photo', '7'], ['photo', '8'], ['place-7', '0'], ['place-8', '1']))).toEqual([7, 8])
})
