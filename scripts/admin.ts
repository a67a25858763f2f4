import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { rmSync, writeFileSync } from 'node:fs'
import { keysFrom } from '#src/accounts/notifications/vapid.server.ts'
import { readEnv } from '#src/kit/base/env.server.ts'
import { maintenanceFile } from '../src/kit/maintenance-file.server.ts'
import { buildIfNeeded } from './build.ts'

/**
 * Makes a registered person the market's super admin: `npm run admin -- --phone +919876543210`, and prints their recovery codes. `--forget-totp`
 * removes a lost authenticator; at the next login, after an SMS code, the person enrols a new one. `npm run admin -- maintenance on` refuses writes
 * with a message until `maintenance off`. `npm run admin -- push-keys` prints a new key pair for push messages. There is no default admin and no
 * password here: admins log in with their own.
 */
const USAGE =
  'Use it as: npm run admin -- --phone +919876543210 [--forget-totp], or: npm run admin -- maintenance on|off, or: npm run admin -- push-keys'

switchMaintenance()
printPushKeys()
const { phone: typed, forgetsTotp } = readArguments()
buildIfNeeded()
const entry = '../build/server/index.js'
const site = (await import(entry)) as typeof import('../src/server/main.server.ts')
const phone = site.readPhone(typed)
if (phone === null) refuse(`"${typed}" is not a phone number. ${USAGE}`)
const market = await open()
let result: { recoveryCodes: string[] } | 'nobody' | 'no password'
try {
  result = await site.makeFirstAdmin(
    {
      db: market.database.db,
      viewer: null,
      sessionId: null,
      locale: 'en',
      now: new Date(),
      requestId: randomUUID(),
      log: market.log,
      browserId: null,
      publicOrigin: market.env.publicOrigin,
      vault: market.vault,
    },
    { phone, forgetsTotp },
  )
} finally {
  await market.close()
}
if (result === 'nobody') refuse(`Nobody has registered with ${phone}. Register on the site first, then run this again.`)
if (result === 'no password') refuse(`${phone} has no password yet. Set one at /reset-password, then run this again.`)
console.log(
  `${phone} is a super admin now${forgetsTotp ? ', and enrols a new authenticator at the next login' : ''}. They must log in again.`,
)
console.log('Recovery codes. Each works once in place of the authenticator. Write them down; they are not shown again:')
for (const code of result.recoveryCodes) console.log(`  ${code.replace(/(.{5})(?=.)/, '$1-')}`)

/** Uses a file in DATA_DIR, so that it works without the database. */
function switchMaintenance(): void {
  const [word, state] = process.argv.slice(2)
  if (word !== 'maintenance') return
  if (state !== 'on' && state !== 'off') refuse(USAGE)
  try {
    const file = maintenanceFile(readEnv(process.env).dataDir)
    if (state === 'on') writeFileSync(file, '')
    else rmSync(file, { force: true })
  } catch (error) {
    refuse(error instanceof Error ? error.message.split('\n')[0]! : String(error))
  }
  console.log(state === 'on' ? 'The site refuses writes from now on and still shows pages.' : 'The site accepts writes again.')
  process.exit(0)
}

/** For the environment of a live site. Browsers subscribed with other keys must subscribe again. */
function printPushKeys(): void {
  if (process.argv[2] !== 'push-keys') return
  const { publicKey, privateKey } = keysFrom()
  console.log(`VAPID_PUBLIC_KEY=${publicKey}\nVAPID_PRIVATE_KEY=${privateKey}\nVAPID_CONTACT=mailto:you@your-market.example`)
  process.exit(0)
}

function readArguments(): { phone: string; forgetsTotp: boolean } {
  try {
    const { values } = parseArgs({ options: { phone: { type: 'string' }, 'forget-totp': { type: 'boolean', default: false } } })
    if (values.phone) return { phone: values.phone, forgetsTotp: values['forget-totp'] }
  } catch {
    // `refuse` prints the usage.
  }
  refuse(USAGE)
}

async function open(): Promise<import('../src/server/main.server.ts').Market> {
  try {
    return await site.openMarket(site.withSecrets(site.readEnv({ ...process.env, LOG_LEVEL: 'silent' })))
  } catch (error) {
    refuse(error instanceof site.EnvError ? error.lines.join('\n') : error instanceof Error ? error.message.split('\n')[0]! : String(error))
  }
}

function refuse(line: string): never {
  console.error(line)
  process.exit(1)
}
