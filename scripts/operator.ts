import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfNeeded } from './build.ts'

type Site = typeof import('../src/server/main.server.ts')

/** Starts an operator command: loads the built site and its configuration. A refusal prints one line and exits with 1. */
export async function asOperator(usage: string, act: (site: Site) => Promise<void>): Promise<void> {
  buildIfNeeded()
  const entry = '../build/server/index.js'
  const site = (await import(entry)) as Site
  try {
    await act(site)
  } catch (error) {
    if (error instanceof site.EnvError) console.error(error.lines.join('\n'))
    else if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) console.error(usage)
    else console.error(error instanceof Error ? error.message.split('\n')[0] : error)
    process.exitCode = 1
  }
}

/** The configuration of an existing market. It never creates a new PEPPER, which could not open the market's data. */
export function envOfMarket(site: Site): ReturnType<Site['readEnv']> {
  const env = site.readEnv(process.env)
  if (!env.pepper && !existsSync(join(env.dataDir, 'pepper')))
    throw new site.EnvError(['PEPPER must be set: the one of the market that was backed up (a demo keeps it in DATA_DIR/pepper).'])
  return site.withSecrets(env)
}
