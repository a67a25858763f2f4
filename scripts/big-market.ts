import { setPriority } from 'node:os'
import { buildIfNeeded } from './build.ts'

// `npm run big-market`: the sample market with a large workload (10,000 listings, 10,000 people, 50,000 orders; tools/bench/desk-market.ts) on its own
// PostgreSQL, at http://localhost:3411 or PORT. Each start makes a new market, and its end deletes it.
const port = process.env.PORT ?? '3411'
buildIfNeeded()
const { processSamplePictures } = await import('../src/demo/sample-pictures.server.ts')
const { samplePicturesDir } = await import('../e2e/sample-pictures.ts')
setPriority(10)
await processSamplePictures(samplePicturesDir, async () => {})
setPriority(0)
console.log(
  `Filling the market takes about a minute. Then open http://localhost:${port}/admin as 9000000009 with the password sandhai-demo.`,
)
process.argv.splice(2, Infinity, 'office', port)
await import('../e2e/serve.ts')
