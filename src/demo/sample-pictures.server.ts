import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { PICTURES_AT_ONCE, processPicture, type ProcessedPicture } from '#src/kit/media/pictures.server.ts'
import { projectRoot } from '../kit/project-root.server.ts'
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
 * Runs every sample picture through the pipeline of a seller's photographs, half a minute of two cores. With a cache folder, results of the
 * same rules are read from it; a second process may be filling it.
 */
export async function processSamplePictures(
  cacheDir: string | null,
  use: (sample: SamplePicture, picture: ProcessedPicture) => Promise<void>,
): Promise<void> {
  const left = samplePictures.values()
  const work = async () => {
    for (const sample of left) await use(sample, await processOnce(await readFile(sample.file), cacheDir))
  }
  await Promise.all(Array.from({ length: PICTURES_AT_ONCE }, work))
}

async function processOnce(drawing: Buffer, cacheDir: string | null): Promise<ProcessedPicture> {
  if (cacheDir === null) return processPicture(drawing)
  const file = join(cacheDir, createHash('sha256').update(drawing).digest('hex'))
  const kept = await readFile(file).catch(() => null)
  if (kept) return deserialize(kept) as ProcessedPicture
  const picture = await processPicture(drawing)
  await mkdir(cacheDir, { recursive: true })
  await writeFile(`${file}.${process.pid}`, serialize(picture))
  await rename(`${file}.${process.pid}`, file)
  return picture
}
