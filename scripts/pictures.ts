import { parseArgs } from 'node:util'
import { buildIfNeeded } from './build.ts'

// Whether the picture folder or bucket belongs to the database: `npm run pictures`. After a restore, once no other database uses the folder, `npm run
// pictures -- --adopt` assigns it to this database; from then on the sweeper cleans it. Exits with 1 when pictures are missing.
const { values } = parseArgs({ options: { adopt: { type: 'boolean', default: false } } })
buildIfNeeded()
const entry = '../build/server/index.js'
const site = (await import(entry)) as typeof import('../src/server/main.server.ts')
try {
  const env = site.withSecrets(site.readEnv(process.env))
  const { owner, named, missing, unnamed, quarantined } = await site.reportPictures(env, values)
  const owners = { ours: "this database's own", copy: "another copy's of this market: nothing in it is deleted" }
  console.log(`The picture store is ${owners[owner]}.`)
  console.log(
    `Rows name ${named} pictures, and ${missing.length} of them are missing. ${unnamed} pictures have no row; ${quarantined} are in the quarantine.`,
  )
  for (const key of missing.slice(0, 20)) console.log(`missing: ${key}`)
  if (missing.length > 0) process.exitCode = 1
} catch (error) {
  console.error(error instanceof site.EnvError ? error.lines.join('\n') : error instanceof Error ? error.message.split('\n')[0] : error)
  process.exit(1)
}
