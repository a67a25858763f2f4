import { parseArgs } from 'node:util'
import { asOperator, envOfMarket } from './operator.ts'

// `npm run restore -- --from FOLDER --key FILE [--backup 2026-11-23T020000Z]`: the newest backup, or that one, into the empty database and
// the empty picture folder of this configuration.
const USAGE = 'Use it as: npm run restore -- --from FOLDER --key FILE [--backup 2026-11-23T020000Z]'
await asOperator(USAGE, async (site) => {
  const { values } = parseArgs({ options: { from: { type: 'string' }, key: { type: 'string' }, backup: { type: 'string' } } })
  const { from, key, backup } = values
  if (!from || !key) throw new site.BackupRefused(USAGE)
  const began = performance.now()
  const done = await site.restoreBackup(envOfMarket(site), { from, key, ...(backup && { name: backup }) })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `Restored ${done.name}: ${done.tables} tables with ${done.rows} rows, each as it was, and ${done.pictures} pictures in ${seconds} s.`,
  )
  console.log('Everybody logs in anew. What was waiting to be sent is at /admin/messages. Start the site with: npm start')
})
