import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const rules = createHash('sha256')
  .update(readFileSync('src/kit/media/pictures.server.ts'))
  .update(readFileSync('package-lock.json'))
  .digest('hex')

/** Both sites show the same pictures, which are made once by the same rules as these. */
export const samplePicturesDir = join('node_modules/.cache/sandhai-pictures', rules.slice(0, 16))
