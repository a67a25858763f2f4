import { parseArgs } from 'node:util'
import { asOperator, envOfMarket } from './operator.ts'

// `npm run restore-check -- --from FOLDER --key FILE [--on postgres://user:password@host/postgres]`: the drill with the newest backup, in a
// place that is thrown away: a folder, or a database on the server given.
const USAGE = 'Use it as: npm run restore-check -- --from FOLDER --key FILE [--on postgres://user:password@host/postgres]'
await asOperator(USAGE, async (site) => {
  const { values } = parseArgs({ options: { from: { type: 'string' }, key: { type: 'string' }, on: { type: 'string' } } })
  const { from, key, on = null } = values
  if (!from || !key) throw new site.BackupRefused(USAGE)
  const began = performance.now()
  const done = await site.checkRestore(envOfMarket(site), { from, key, on }, site.createSite)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `${done.name} can be restored: ${done.tables} tables with ${done.rows} rows are as they were, ${done.opened} files of pictures open,`,
  )
  console.log(`somebody logged in and ordered an animal. ${seconds} s; everything of it is gone again.`)
})
