/**
 * Finds a Chromium for tests and for Lighthouse: `chromium.launch(await findChromium())` with playwright-core.
 * If the machine has none, it unpacks the npm package `@sparticuz/chromium`. That package is made for AWS Lambda. Elsewhere it leaves its libraries
 * (NSS) packed, unpacks into shared names in /tmp where two test runs would collide, and starts Chromium in one process without web security. So this
 * module uses only its files and its unpacking.
 * The package lacks libsqlite3, which NSS needs for certificates. On a machine without it, an https page crashes the browser. The journeys use plain
 * http://127.0.0.1, which never loads it.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Part of Playwright's LaunchOptions. `env` is the complete environment, because Playwright does not add its own. */
export type FoundChromium = { executablePath: string; args: string[]; env: Record<string, string> }

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

const ARGS = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Containers often have 64 MB of /dev/shm, too little for a page with pictures.
  '--disable-dev-shm-usage',
  // Chromium's sandbox refuses to start as root. The tests open only our own pages.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]

/** Returns CHROMIUM_PATH, else an installed Chromium that runs, else npm's. `npmOnly` skips the first two. */
export async function findChromium({ npmOnly = false } = {}): Promise<FoundChromium> {
  if (npmOnly) return npmChromium()
  const wanted = process.env.CHROMIUM_PATH
  if (wanted) {
    if (existsSync(wanted)) return { executablePath: wanted, args: ARGS, env: environment() }
    throw new Error(`CHROMIUM_PATH is ${wanted}, but there is no such file.`)
  }
  for (const executablePath of INSTALLED) {
    // Ubuntu's chromium-browser may be a stub that only explains how to install the snap.
    const runs = await run(executablePath, ['--version'], { timeout: 10_000 }).then(
      () => true,
      () => false,
    )
    if (runs) return { executablePath, args: ARGS, env: environment() }
  }
  return npmChromium()
}

async function npmChromium(): Promise<FoundChromium> {
  const entry = sparticuz()
  if (!entry) {
    throw new Error(
      `No Chromium was found for the tests: looked at CHROMIUM_PATH, ${INSTALLED.join(', ')} and the npm package @sparticuz/chromium ` +
        `(Linux x64 only); install Chromium (on Debian: apt-get install chromium) or set CHROMIUM_PATH.`,
    )
  }
  const folder = await unpacked(entry)
  const libraries = path.join(folder, 'al2023', 'lib')
  const env = environment()
  env.LD_LIBRARY_PATH = [libraries, env.LD_LIBRARY_PATH].filter(Boolean).join(':')
  // A minimal machine has no fonts; this makes at least Latin text visible. Tamil comes from the site's web font.
  if (!existsSync('/etc/fonts/fonts.conf')) env.FONTCONFIG_FILE ??= path.join(folder, 'fonts.conf')
  return { executablePath: path.join(folder, 'chromium'), args: ARGS, env }
}

/** The package's module, or null where it is not installed or cannot run. */
function sparticuz(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null
  try {
    return createRequire(import.meta.url).resolve('@sparticuz/chromium')
  } catch {
    return null
  }
}

/** Unpacks 220 MB once per version and user. The first process wins, and the rename makes the folder appear complete. */
async function unpacked(entry: string): Promise<string> {
  const home = path.join(path.dirname(entry), '..')
  const { version } = JSON.parse(await readFile(path.join(home, 'package.json'), 'utf8')) as { version: string }
  const folder = path.join(tmpdir(), `sandhai-chromium-${version}-${process.getuid?.()}`)
  if (await isOurs(folder)) return folder

  const making = await mkdtemp(`${folder}-`)
  try {
    // Its inflate() writes to fixed names in the temp folder, so it runs in a process with its own temp folder.
    const script = `import { inflate } from ${JSON.stringify(entry)}
      await Promise.all(process.argv.slice(1).map(inflate));`
    const archives = ['chromium.br', 'al2023.tar.br', 'swiftshader.tar.br', 'fonts.tar.br'].map((name) => path.join(home, 'bin', name))
    const env = { ...environment(), TMPDIR: making }
    await run(process.execPath, ['--input-type=module', '-e', script, ...archives], { env })
    await writeFile(
      path.join(making, 'fonts.conf'),
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>/usr/share/fonts</dir>` +
        `<dir>${folder}/fonts</dir><cachedir>${folder}/fonts-cache</cachedir></fontconfig>\n`,
    )
    await rename(making, folder)
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    if (!(await isOurs(folder))) throw error // another run was faster
  }
  return folder
}

/** In a shared /tmp, anybody may create a folder of that name; run programs only from our own. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null)
  if (!found) return false
  if (found.uid !== process.getuid?.()) throw new Error(`${folder} belongs to somebody else; remove it or set CHROMIUM_PATH.`)
  return true
}

function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}
