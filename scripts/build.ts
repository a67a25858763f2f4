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

/**
 * For tests: throws when build/ was made from other sources. Tests must not build themselves, because two workers building at once would overwrite
 * each other's files.
 */
export function requireBuild(): void {
  if (!isOf(stampOfSources())) throw new Error('build/ was made from other sources: run npm run build.')
}

/** Builds the site unless build/ was made from exactly these sources. Does nothing in a release (release.ts), which contains no build tools. */
export function buildIfNeeded(): void {
  if (!existsSync(join(root, 'vite.config.ts'))) return
  const stamp = stampOfSources()
  if (isOf(stamp)) return
  const builder = join(root, 'node_modules/.bin/react-router')
  if (!existsSync(builder)) throw new Error('The build tools are missing: run npm ci --include=dev.')
  console.log('Building the site, which takes about half a minute …')
  execFileSync(builder, ['build'], {
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

/** Compress once here instead of per request: brotli and gzip beside each text file. */
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
