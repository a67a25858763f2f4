import { setPriority } from 'node:os'
import { processSamplePictures } from '../src/demo/sample-pictures.server.ts'
import { samplePicturesDir } from './sample-pictures.ts'

// Beside the tests, with what those leave of the cores.
setPriority(19)
await processSamplePictures(samplePicturesDir, async () => {})
