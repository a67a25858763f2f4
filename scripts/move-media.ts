import { parseArgs } from 'node:util'
import { asOperator, envOfMarket } from './operator.ts'

// `npm run move-media -- --to bucket` (or `folder`): copies every picture and compares it by hash. Run it once while the site runs, then again with
// `npm run admin -- maintenance on` for new pictures; then start the site with (or without) PICTURES_BUCKET.
const USAGE = 'Use it as: npm run move-media -- --to bucket, or: npm run move-media -- --to folder'
await asOperator(USAGE, async (site) => {
  const { values } = parseArgs({ options: { to: { type: 'string' } } })
  if (values.to !== 'bucket' && values.to !== 'folder') throw new site.EnvError([USAGE])
  const { from, to, copied, compared, different } = await site.moveMedia(envOfMarket(site), values.to)
  console.log(`From ${from} to ${to}: ${copied} pictures copied, ${compared} compared by hash, ${different.length} of them differ.`)
  for (const key of different.slice(0, 20)) console.error(`differs: ${key}`)
  if (different.length > 0) process.exitCode = 1
})
