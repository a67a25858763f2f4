import { parseArgs } from 'node:util'
import { asOperator, envOfMarket } from './operator.ts'

// `npm run restore -- --from FOLDER --key FILE [--backup 2026-11-23T020000Z]`: restores the newest or the given backup into the empty database and
// the empty picture folder of this configuration. `-- --forget-past` ends logins and codes and stops waiting messages in a database that pgBackRest
// has restored to an earlier time; the other restore includes this.
const USAGE = 'Use it as: npm run restore -- --from FOLDER --key FILE [--backup 2026-11-23T020000Z], or: npm run restore -- --forget-past'
const options = {
  from: { type: 'string' },
  key: { type: 'string' },
  backup: { type: 'string' },
  'forget-past': { type: 'boolean', default: false },
} as const
await asOperator(USAGE, async (site) => {
  const { values } = parseArgs({ options })
  const { from, key, backup } = values
  if (values['forget-past']) {
    await site.forgetPast(envOfMarket(site))
    console.log(
      'Logins, codes and links of that time are void, and messages that were waiting are not sent. Start the site with: npm start',
    )
    return
  }
  if (!from || !key) throw new site.BackupRefused(USAGE)
  const began = performance.now()
  const done = await site.restoreBackup(envOfMarket(site), { from, key, ...(backup && { name: backup }) })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `Restored ${done.name}: ${done.tables} tables with ${done.rows} rows, each as it was, and ${done.pictures} pictures in ${seconds} s.`,
  )
  console.log('Everybody must log in again. Messages that were waiting are at /admin/messages. Start the site with: npm start')
})
