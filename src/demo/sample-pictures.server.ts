import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { PICTURES_AT_ONCE } from '#src/kit/media/decode-apart.server.ts'
import { processPicture, type ProcessedPicture } from '#src/kit/media/pictures.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { sampleListings } from './sample-listings.ts'

interface SamplePicture {
  /** The key of its sample listing, and its position among that listing's pictures. */
  listing: string
  index: number
  /** The path of its drawing. */
  file: string
}

export const samplePictures: readonly SamplePicture[] = sampleListings.flatMap(({ key, pictures, picturesOf }) =>
  Array.from({ length: pictures }, (_, index) => ({
    listing: key,
    index,
    file: join(projectRoot, 'demo/pictures', `${picturesOf ?? key}-${index + 1}.jpg`),
  })),
)

/**
 * Processes every sample picture like a seller's upload; this takes half a minute on two cores. With a cache folder, reads results of the same rules
 * from it. A second process may fill the cache at the same time.
 */
export async function processSamplePictures(
  cacheDir: string | null,
  use: (sample: SamplePicture, picture: ProcessedPicture) => Promise<void>,
): Promise<void> {
  const remaining = samplePictures.values()
  const work = async () => {
    for (const sample of remaining) await use(sample, await processOnce(await readFile(sample.file), cacheDir))
  }
  await Promise.all(Array.from({ length: PICTURES_AT_ONCE }, work))
}

async function processOnce(drawing: Buffer, cacheDir: string | null): Promise<ProcessedPicture> {
  if (cacheDir === null) return processPicture(drawing)
  const file = join(cacheDir, createHash('sha256').update(drawing).digest('hex'))
  const cached = await readFile(file).catch(() => null)
  if (cached) return deserialize(cached) as ProcessedPicture
  const picture = await processPicture(drawing)
  await mkdir(cacheDir, { recursive: true })
  await writeFile(`${file}.${process.pid}`, serialize(picture))
  await rename(`${file}.${process.pid}`, file)
  return picture
}
