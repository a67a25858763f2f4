import { parseArgs } from 'node:util'
import { asOperator, envOfMarket } from './operator.ts'

// `npm run restore-check -- --from FOLDER --key FILE [--on postgres://user:password@host/postgres]`: a restore drill with the newest backup into a
// temporary folder, or into a temporary database on the given server.
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
  console.log(`a login and an order succeeded. ${seconds} s; the drill has removed all its data.`)
})
