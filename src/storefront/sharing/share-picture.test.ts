import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { rupees } from '#src/kit/time-money/money.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { parseShareName, shareName, type ShareFacts } from './share-facts.server.ts'
import { statusPath } from './share-path.ts'
import { write } from './drawing.server.ts'
import { drawSharePicture } from './share-picture.server.ts'
import { drawStatusPicture } from './status-picture.server.ts'
import { SharePictures } from './share-pictures.server.ts'

const bull: ShareFacts = {
  id: 42,
  locale: 'ta',
  address: 'sandhai.example/product/42',
  name: 'காங்கேயம் காளை',
  breed: 'காங்கேயம்',
  category: 'மாடுகள்',
  taluk: 'தாராபுரம்',
  district: 'திருப்பூர்',
  originalPrice: rupees(95_000),
  offerPrice: rupees(85_000),
  availability: 'available',
  photoKey: 'a'.repeat(20),
  isSample: false,
  isSellerVerified: true,
  isVetChecked: true,
  isVaccinated: true,
}
const photo = readFileSync(join(projectRoot, 'demo/pictures/kangayam-bull-1.jpg'))

describe('a share picture', () => {
  test('has the size of link previews, and is small enough for a slow connection', async () => {
    for (const facts of [bull, { ...bull, availability: 'sold' as const }, { ...bull, isSample: true, offerPrice: null }]) {
      const picture = await drawSharePicture(facts, photo)
      const { width, height, format } = await sharp(picture).metadata()
      expect([width, height, format]).toEqual([1200, 630, 'jpeg'])
      expect(picture.length).toBeLessThan(100 * 1024)
    }
  })

  test('has its price tag inside the square that chat apps crop', async () => {
    for (const price of [rupees(9), rupees(85_000), rupees(1_25_00_000.55)]) {
      const turmeric = await columnsOf(await drawSharePicture({ ...bull, originalPrice: price, offerPrice: null }, null), [242, 176, 30])
      expect(turmeric.first).toBeGreaterThanOrEqual(285)
      expect(turmeric.last).toBeLessThan(915)
    }
  })

  test('of a sold animal has a red tag and no yellow one', async () => {
    const sold = await drawSharePicture({ ...bull, availability: 'sold' }, null)
    expect((await columnsOf(sold, [181, 72, 42])).count).toBeGreaterThan(10_000)
    expect((await columnsOf(sold, [242, 176, 30])).count).toBe(0)
  })

  test('writes the long badge of the vet in two lines', async () => {
    const plain = { ...bull, isSellerVerified: false, isVetChecked: false, isVaccinated: false }
    const leafIn = async (facts: ShareFacts) => (await columnsOf(await drawSharePicture(facts, null), [31, 92, 58])).count
    // A badge of one line has at most 391 x 50 pixels.
    expect((await leafIn({ ...plain, isVetChecked: true })) - (await leafIn(plain))).toBeGreaterThan(391 * 50)
  })

  test.each([
    ['Pango markup', '<span size="99999">&amp; <b>'],
    ['characters that our font lacks', '🐄 गाय 牛 \u0000\u2028'],
    ['joined emoji only', '👩‍🌾'],
    ['a joiner only', '\u200d'],
    ['one very long word', 'மா'.repeat(400)],
    ['no text', ''],
  ])('may have a title with %s', async (_, name) => {
    const { width, height } = await sharp(await drawSharePicture({ ...bull, name }, photo)).metadata()
    expect([width, height]).toEqual([1200, 630])
  })

  test.each(['டஔ', 'रऔ', 'রঔ', 'રઔ', 'ਰਔ', 'ರಔ', 'രഔ', 'ରଔ', 'రఔ'])('draws the letters %s in their script', async (letters) => {
    const widths = await Promise.all([...letters].map(async (letter) => (await write(letter, { sizes: [60], color: 'ink' })).width))
    // A blank has one column, and boxes for letters without a font are equally wide.
    expect(widths[0]).toBeGreaterThan(10)
    expect(widths[1]! - widths[0]!).toBeGreaterThan(5)
  })

  test('renders markup in a title as text', async () => {
    const typed = await drawSharePicture({ ...bull, name: 'A <b>B</b>' }, null)
    const obeyed = await drawSharePicture({ ...bull, name: 'A B' }, null)
    expect(typed.equals(obeyed)).toBe(false)
  })
})

/** The first and last column of a colour, and its number of pixels. */
async function columnsOf(picture: Buffer, [r, g, b]: [number, number, number]) {
  const { data, info } = await sharp(picture).raw().toBuffer({ resolveWithObject: true })
  const seen = { first: info.width, last: -1, count: 0 }
  for (let i = 0; i < data.length; i += 3) {
    if (Math.abs(data[i]! - r) + Math.abs(data[i + 1]! - g) + Math.abs(data[i + 2]! - b) > 24) continue
    const x = (i / 3) % info.width
    seen.first = Math.min(seen.first, x)
    seen.last = Math.max(seen.last, x)
    seen.count += 1
  }
  return seen
}

/** A slow connection transfers this in a few seconds. */
const STATUS_BYTES = 250 * 1024

describe('a status picture', () => {
  test('fills a phone, shows the price on its tag, and is small enough for a slow connection', async () => {
    for (const facts of [bull, { ...bull, availability: 'sold' as const }, { ...bull, isSample: true, offerPrice: null }]) {
      const picture = await drawStatusPicture(facts, photo)
      const { width, height, format } = await sharp(picture).metadata()
      expect([width, height, format]).toEqual([1080, 1920, 'jpeg'])
      expect(picture.length > STATUS_BYTES ? `${picture.length} bytes` : 'light').toBe('light')
    }
    const tag = await columnsOf(
      await drawStatusPicture({ ...bull, originalPrice: rupees(1_25_00_000.55), offerPrice: null }, null),
      [242, 176, 30],
    )
    expect(tag.first).toBe(0)
    // The rounded corner is inside the picture.
    expect(tag.last > 1080 - 30 ? `to column ${tag.last}` : 'within').toBe('within')
    expect((await columnsOf(await drawStatusPicture({ ...bull, availability: 'sold' }, null), [181, 72, 42])).count).toBeGreaterThan(10_000)
  })

  test('has no text where chat apps show their bars', async () => {
    const long = 'மிக நீளமான பெயர் கொண்ட காங்கேயம் காளை, நான்கு பல், நல்ல குணம், உழவுக்கு ஏற்றது'
    const picture = await drawStatusPicture({ ...bull, name: long, taluk: long }, photo)
    for (const area of [
      { left: 0, top: 0, width: 1080, height: 130 },
      { left: 0, top: 1720, width: 1080, height: 200 },
    ]) {
      const { channels } = await sharp(await sharp(picture).extract(area).png().toBuffer()).stats()
      // One flat colour.
      expect(channels.map(({ stdev }) => Math.round(stdev))).toEqual([0, 0, 0])
    }
  })
})

describe('the name of a share picture', () => {
  test.each([
    ['price', { originalPrice: rupees(95_001) }],
    ['offer', { offerPrice: null }],
    ['title', { name: 'காளை' }],
    ['place', { taluk: 'காங்கேயம்' }],
    ['photo', { photoKey: 'b'.repeat(20) }],
    ['state', { availability: 'sold' }],
    ['badges', { isVaccinated: false }],
    ['language', { locale: 'en' }],
  ] as [string, Partial<ShareFacts>][])('changes with the %s', (_, change) => {
    expect(shareName({ ...bull, ...change })).not.toBe(shareName(bull))
  })

  test('is parsed back, and no other name is accepted', () => {
    expect(parseShareName(shareName(bull))).toEqual({ id: 42, locale: 'ta', shape: 'link' })
    expect(parseShareName(shareName(bull, 'status'))).toEqual({ id: 42, locale: 'ta', shape: 'status' })
    expect(parseShareName(statusPath(42, 'ta').replace('/share/', ''))).toEqual({ id: 42, locale: 'ta', shape: 'status' })
    for (const name of [
      '',
      '42-ta-.jpg',
      '0-ta-0123456789.jpg',
      '42-de-0123456789.jpg',
      '42-ta-0123456789.png',
      '../42-ta-0123456789.jpg',
    ]) {
      expect(parseShareName(name), name).toBeNull()
    }
  })
})

describe('a link that many people open', () => {
  const media = { read: async () => photo }
  const slowly = () => {
    const done: (() => void)[] = []
    const draw = vi.fn(() => new Promise<Buffer>((resolve) => done.push(() => resolve(Buffer.from('a picture')))))
    return { draw, finish: () => done.splice(0).forEach((each) => each()) }
  }
  // A fixed lateness, because the test machine may be late.
  const onTime = () => 0

  test('is rendered once for all concurrent and later requests', async () => {
    const { draw, finish } = slowly()
    const pictures = new SharePictures(media, onTime, draw)
    const requests = Array.from({ length: 50 }, () => pictures.get(bull))
    await expect.poll(() => draw.mock.calls.length).toBe(1)
    finish()
    await Promise.all(requests)
    await pictures.get(bull)
    expect(draw).toHaveBeenCalledTimes(1)
  })

  /** Advances the fake clock from timer to timer until the promise settles. */
  async function inTime<T>(running: Promise<T>): Promise<T> {
    let isOver = false
    const over = running.finally(() => (isOver = true))
    while (!isOver) await vi.advanceTimersToNextTimerAsync()
    return over
  }

  test('a request that would wait too long for a chat app is refused with a retry time; the others get their picture', async () => {
    // A fake clock, because a busy machine renders slowly and would refuse more requests.
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const draw = vi.fn(async () => {
      await new Promise((resolve) => setTimeout(resolve, 150))
      return Buffer.from('a picture')
    })
    const drawn = { ...bull, photoKey: null }
    const pictures = new SharePictures(media, onTime, draw)
    // Enough renderings for the gate to learn their duration.
    for (let id = 1; id <= 20; id += 1) await inTime(pictures.get({ ...drawn, id }))
    draw.mockClear()
    const order: string[] = []
    const waits = await inTime(
      Promise.all(
        Array.from({ length: 100 }, async (_, id) => {
          const end = await pictures.get({ ...drawn, id: 100 + id }).catch(({ code, retryAfterSeconds }) => `${code},${retryAfterSeconds}`)
          const refusal = typeof end === 'string' ? end : null
          order.push(refusal ?? 'served')
          return { refusal }
        }),
      ),
    )
    const refused = waits.filter(({ refusal }) => refusal !== null)
    expect(new Set(refused.map(({ refusal }) => refusal))).toEqual(new Set(['UNAVAILABLE,3']))
    expect(draw).toHaveBeenCalledTimes(100 - refused.length)
    expect(draw.mock.calls.length).toBeGreaterThan(8)
    expect(order.slice(0, refused.length)).toEqual(refused.map(({ refusal }) => refusal))
  })

  test('a failed rendering is retried by the next request', async () => {
    const draw = vi.fn().mockRejectedValueOnce(new Error('broken')).mockResolvedValue(Buffer.from('a picture'))
    const pictures = new SharePictures(media, onTime, draw)
    await expect(pictures.get(bull)).rejects.toThrow('broken')
    expect((await pictures.get(bull)).isWhole).toBe(true)
  })

  test('without the photo’s file it is rendered but not cached', async () => {
    const draw = vi.fn().mockResolvedValue(Buffer.from('a picture'))
    const pictures = new SharePictures({ read: async () => null }, onTime, draw)
    expect((await pictures.get(bull)).isWhole).toBe(false)
    await pictures.get(bull)
    expect(draw).toHaveBeenCalledTimes(2)
    expect((await pictures.get({ ...bull, photoKey: null })).isWhole).toBe(true)
  })
})
