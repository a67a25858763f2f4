import { parseArgs } from 'node:util'
import { asOperator, envOfMarket } from './operator.ts'

// `npm run backup -- --to FOLDER [--keep 30]`: a consistent backup of database and pictures, sealed to BACKUP_RECIPIENT. Pictures already in the
// folder are not copied again. `--new-key FILE` makes the key that opens backups; keep it elsewhere. Stop the site first on an embedded market.
const USAGE = 'Use it as: npm run backup -- --to FOLDER [--keep 30], or once: npm run backup -- --new-key FILE'
await asOperator(USAGE, async (site) => {
  const { values } = parseArgs({ options: { to: { type: 'string' }, keep: { type: 'string' }, 'new-key': { type: 'string' } } })
  if (values['new-key']) {
    console.log(`BACKUP_RECIPIENT=${await site.writeNewKey(values['new-key'])}`)
    console.log(
      `The key in ${values['new-key']} opens the backups. Keep two copies outside this machine; without it nobody can read a backup.`,
    )
    return
  }
  if (!values.to || !/^[1-9]\d{0,4}$/.test(values.keep ?? '1')) throw new site.BackupRefused(USAGE)
  const began = performance.now()
  const done = await site.makeBackup(envOfMarket(site), { to: values.to, ...(values.keep && { keep: Number(values.keep) }) })
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `${done.folder}: ${done.rows} rows, ${done.pictures} pictures (${done.copied} new) in ${seconds} s; ${done.pruned} old backups removed.`,
  )
  for (const key of done.missing.slice(0, 20)) console.error(`missing picture: ${key}`)
  if (done.missing.length > 0) process.exitCode = 1
})
