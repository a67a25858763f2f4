import { setPriority } from 'node:os'
import { processSamplePictures } from '../src/demo/sample-pictures.server.ts'
import { samplePicturesDir } from './sample-pictures.ts'

// Runs with the lowest priority, so that the tests come first.
setPriority(19)
await processSamplePictures(samplePicturesDir, async () => {})
