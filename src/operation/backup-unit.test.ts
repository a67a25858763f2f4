import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#src/kit/db/database.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { startPostgres, type PostgresServer } from '#tools/test-kit/postgres-server.ts'
import { writeNewKey } from './backup/key-file.server.ts'
import { lastBackupAt } from './backup/last-backup.server.ts'
import { examine } from './doctor.server.ts'
import { fillMarket, PEPPER } from '#tools/test-kit/full-market.ts'
import { prepare } from '#tools/test-kit/prepared.ts'
import { cleanUp, launchSite, tempFolder } from '#tools/test-kit/site-process.ts'

// The unit of the nightly backup on a fresh machine: its user, and no folder but those that its own lines give that user.

const unit = readFileSync(join(projectRoot, 'ops/sandhai-backup.service'), 'utf8')
const valuesOf = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!)

/** A user whom every Debian has, in place of `sandhai`. */
const USER = { uid: 65_534, gid: 65_534 }
const isRoot = process.getuid?.() === 0

let postgres: PostgresServer
beforeAll(async () => {
  if (isRoot) postgres = await startPostgres()
})
afterAll(async () => {
  await cleanUp()
  await postgres?.stop()
})

let markets = 0
/** Makes what Debian and root's copy of the unit leave on a machine, below a folder of its own. */
async function freshMachine() {
  const root = tempFolder()
  chmodSync(root, 0o755)
  mkdirSync(join(root, 'var/backups'), { recursive: true })
  mkdirSync(join(root, 'var/lib'))
  const at = (line: string) =>
    line
      .replaceAll(/(?<![\w/])\/var\//g, `${root}/var/`)
      .replaceAll('/opt/sandhai/current', projectRoot)
      .replaceAll(/-o sandhai\b/g, `-o ${USER.uid}`)
      .replaceAll(/-g sandhai\b/g, `-g ${USER.gid}`)
  const variables: Record<string, string> = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
  /** As systemd does: without privileges, unless the line begins with `+`. */
  const run = (line: string) => {
    const isPrivileged = line.startsWith('+')
    const [program, ...args] = at(line.replace(/^\+/, '')).split(' ')
    const asUser = ['--reuid', `${USER.uid}`, '--regid', `${USER.gid}`, '--clear-groups', '--no-new-privs', '--']
    const options = { cwd: at(valuesOf('WorkingDirectory')[0]!), env: variables, encoding: 'utf8' } as const
    return isPrivileged ? spawnSync(program!, args, options) : spawnSync('setpriv', [...asUser, program!, ...args], options)
  }
  // Units that are started make these folders for their user.
  for (const name of valuesOf('StateDirectory'))
    run(`+install -d -m ${valuesOf('StateDirectoryMode')[0] ?? '0755'} -o sandhai -g sandhai /var/lib/${name}`)
  const dataDir = join(root, 'var/lib/sandhai')
  const admin = await openDatabase({ databaseUrl: postgres.adminUrl, dataDir: '' })
  const name = `unit_${(markets += 1)}`
  await admin.db.execute(`create database ${name}`)
  await admin.close()
  const url = new URL(`/${name}`, postgres.url).href
  const market = await openDatabase({ databaseUrl: url, dataDir })
  await prepare(market)
  await fillMarket(market, dataDir)
  await market.close()
  execFileSync('chown', ['-R', `${USER.uid}:${USER.gid}`, dataDir])
  const key = join(tempFolder(), 'backup.key')
  const secrets = { PEPPER, SESSION_SECRET: 's'.repeat(32), BACKUP_RECIPIENT: await writeNewKey(key) }
  Object.assign(variables, { DATABASE_URL: url, DATA_DIR: dataDir, ...secrets })
  return { dataDir, variables, key, run, backups: at('/var/backups/sandhai') }
}

/** A user without privileges must be able to read the checkout, as they read a release. */
const canRead = () => {
  const { status } = spawnSync('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, '--version'])
  if (status !== 0) console.log('NOT TRIED: the unit of the backup (its user may not read this checkout)')
  return status === 0
}

describe('the unit of the nightly backup', () => {
  test('runs as a user without privileges', () => {
    expect([valuesOf('User'), valuesOf('Group')]).toEqual([['sandhai'], ['sandhai']])
  })

  test.skipIf(!isRoot)('makes a backup on a fresh machine that a drill accepts, and notes when', async () => {
    if (!canRead()) return
    const { dataDir, variables, key, run, backups } = await freshMachine()
    expect(await lastBackupAt(dataDir)).toBeNull()
    for (const line of [...valuesOf('ExecStartPre'), ...valuesOf('ExecStart')]) expect(run(line)).toMatchObject({ status: 0, stderr: '' })
    expect(Date.now() - (await lastBackupAt(dataDir))!.getTime()).toBeGreaterThanOrEqual(0)
    const about = (await examine(variables)).find(({ what }) => what === 'backups')
    expect(about).toMatchObject({ level: 'well' })
    const drill = await launchSite(variables, { program: 'scripts/restore-check.ts', args: ['--from', backups, '--key', key] }).ended
    expect([drill.code, drill.err]).toEqual([0, []])
    expect(drill.out.join('\n')).toContain('can be restored')
  })

  test.skipIf(!isRoot)('control: without its lines as root there is no folder, and no backup is noted', async () => {
    if (!canRead()) return
    const { dataDir, run } = await freshMachine()
    for (const line of valuesOf('ExecStart')) expect(run(line)).toMatchObject({ status: 1, stderr: expect.stringContaining('EACCES') })
    expect(await lastBackupAt(dataDir)).toBeNull()
  })
})
