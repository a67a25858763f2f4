import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { parseBoardName, type BoardFacts } from './board-facts.server.ts'
import { drawBoardPicture } from './board-picture.server.ts'
import { boardPath } from './share-path.ts'

const photo = readFileSync(join(projectRoot, 'demo/pictures/kangayam-bull-1.jpg'))
const cattle: BoardFacts = {
  locale: 'ta',
  title: 'மாடுகள்',
  prices: '₹68,000 – ₹1,52,000',
  count: '18 கிடைத்தன',
  places: 'தேனி, திருப்பூர், கோயம்புத்தூர்',
  photoKeys: ['a'.repeat(20)],
  isSample: true,
}

/** The first and last column with this colour, and its number of pixels. */
async function columnsOf(picture: Buffer, [r, g, b]: [number, number, number]) {
  const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const columns: number[] = []
  for (let at = 0; at < data.length; at += 3) {
    if (Math.abs(data[at]! - r) + Math.abs(data[at + 1]! - g) + Math.abs(data[at + 2]! - b) < 24) columns.push((at / 3) % info.width)
  }
  return { first: Math.min(...columns), last: Math.max(...columns), count: columns.length }
}
const TURMERIC: [number, number, number] = [242, 176, 30]

describe('the share picture of a list or a breed', () => {
  test.each([0, 1, 2, 3])('has the size of a link preview with %i photos', async (count) => {
    const picture = await drawBoardPicture(
      cattle,
      Array.from({ length: count }, () => photo),
    )
    const { width, height, format } = await sharp(picture).metadata()
    expect([width, height, format]).toEqual([1200, 630, 'jpeg'])
  })

  test('shows the prices within the central square of chat apps, and no tag without prices', async () => {
    for (const prices of ['₹9', cattle.prices, '₹1,00,000 – ₹1,25,00,000.55']) {
      const { first, last } = await columnsOf(await drawBoardPicture({ ...cattle, prices }, []), TURMERIC)
      expect([first >= 300, last <= 900]).toEqual([true, true])
    }
    expect((await columnsOf(await drawBoardPicture({ ...cattle, prices: null }, []), TURMERIC)).count).toBe(0)
  })

  test('draws unsupported characters and long texts without an error', async () => {
    for (const title of ['🐄 गाय', 'க'.repeat(200), '<span>&amp;'])
      await drawBoardPicture({ ...cattle, title, places: title.repeat(3) }, [])
  })
})

describe('the name of such a picture', () => {
  test('maps to its board, and no other name does', () => {
    for (const board of [
      { what: 'list', id: 0, locale: 'ta' },
      { what: 'list', id: 1, locale: 'en' },
      { what: 'breed', id: 101, locale: 'ta' },
    ] as const)
      expect(parseBoardName(boardPath(board).replace('/share/', ''))).toEqual(board)
    for (const name of [
      'list-99-ta.jpg',
      'breed-0-ta.jpg',
      'list-01-ta.jpg',
      'list-1-hi.jpg',
      'list-1-ta.jpg.png',
      'breed-9999-ta.jpg',
      'LIST-1-ta.jpg',
    ])
      expect(parseBoardName(name), name).toBeNull()
  })
})
