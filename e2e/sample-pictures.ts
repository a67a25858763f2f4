import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const rules = createHash('sha256')
  .update(readFileSync('src/kit/media/pictures.server.ts'))
  .update(readFileSync('package-lock.json'))
  .digest('hex')

/** Both sites share these pictures, which are generated once per version of the rules. */
export const samplePicturesDir = join('node_modules/.cache/sandhai-pictures', rules.slice(0, 16))
