import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const stampFile = join(root, 'build/.stamp')
const sources = [
  'src',
  'content',
  'messages',
  'public',
  'project.inlang/settings.json',
  'package-lock.json',
  'vite.config.ts',
  'react-router.config.ts',
  'scripts/build.ts',
  'scripts/mdx-plugin.ts',
  'scripts/paraglide-options.ts',
]

const isOf = (stamp: string) => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp

/** For tests: two workers that build at the same time would take the files from each other. Throws when build/ is of other sources. */
export function requireBuild(): void {
  if (!isOf(stampOfSources())) throw new Error('build/ was not made from these sources: run npm run build.')
}

/** Builds the site unless build/ was made from exactly these sources. */
export function buildIfNeeded(): void {
  const stamp = stampOfSources()
  if (isOf(stamp)) return
  execFileSync(join(root, 'node_modules/.bin/react-router'), ['build'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  compressAssets(join(root, 'build/client'))
  writeFileSync(stampFile, stamp)
}

function stampOfSources(): string {
  const hash = createHash('sha256')
  for (const file of sources.flatMap((source) => filesBelow(join(root, source)))) hash.update(file).update(readFileSync(file))
  return hash.digest('hex')
}

function filesBelow(path: string): string[] {
  if (!existsSync(path) || path.endsWith('src/paraglide') || path.endsWith('.test.ts')) return []
  if (statSync(path).isFile()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
}

/** Once here instead of at every request: brotli and gzip beside each text file. */
function compressAssets(dir: string): void {
  for (const file of filesBelow(dir)) {
    if (!/\.(js|css|svg|txt|json|html)$/.test(file)) continue
    const bytes = readFileSync(file)
    if (bytes.length < 256) continue
    writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

if (process.argv[1] === import.meta.filename) buildIfNeeded()
