import sharp from 'sharp'

/** A picture as large as a phone's camera makes one, with its own pattern for each seed. After resizing on the phone it is still over 64 KB. */
export async function photograph(seed: number) {
  const grain = Buffer.from(Array.from({ length: 160 * 120 * 3 }, (_, n) => (n * n * (seed + 7)) % 251))
  const image = sharp(grain, { raw: { width: 160, height: 120, channels: 3 } }).resize(4000, 3000)
  return { name: `IMG_${seed}.jpg`, mimeType: 'image/jpeg', buffer: await image.jpeg({ quality: 95 }).toBuffer() }
}
