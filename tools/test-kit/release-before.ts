import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { RUNS_FROM } from '#src/kit/db/migrate.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { tempFolder } from './site-process.ts'

const JOURNAL = 'migrations/meta/_journal.json'
const RULE = 'src/kit/db/migrate.server.ts'

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'ignore'] }).trim()

const migrationsAt = (commit: string): number => (JSON.parse(git('show', `${commit}:${JOURNAL}`)) as { entries: unknown[] }).entries.length

/**
 * The commit of the previous release: the last tag `v…`, or without tags the last commit with at most RUNS_FROM migrations, the number that
 * we promise to support. Throws when the history does not reach so far back.
 */
export function releaseBefore(): string {
  const [tag] = git('tag', '--list', 'v*', '--sort=-v:refname', '--merged', 'HEAD').split('\n')
  if (tag) return git('rev-parse', `${tag}^{commit}`)
  const first = git('log', '--first-parent', '--format=%H', '--', JOURNAL)
    .split('\n')
    .filter((commit) => migrationsAt(commit) > RUNS_FROM)
    .at(-1)
  if (!first) return git('rev-parse', 'HEAD')
  try {
    return git('rev-parse', '--verify', `${first}^`)
  } catch {
    throw new Error(`The history of this clone does not reach back to ${RUNS_FROM} migrations. Deepen it: git fetch --unshallow --tags`)
  }
}

/** Builds a commit in a temporary folder of the test, with the packages installed here. */
export function buildRelease(commit: string): string {
  const folder = tempFolder()
  const archive = join(tempFolder(), 'release.tar')
  git('archive', '--format=tar', `--output=${archive}`, commit)
  execFileSync('tar', ['-xf', archive, '-C', folder])
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'))
  // Releases from before this rule refuse every newer schema; copy the rule to test whether the rest of them runs.
  if (!readFileSync(join(folder, RULE), 'utf8').includes('RUNS_FROM')) copyFileSync(join(projectRoot, RULE), join(folder, RULE))
  const { DEEP: _, VITEST: __, NODE_ENV: ___, ...env } = process.env
  // The build's own programs find Node through PATH.
  const PATH = `${dirname(process.execPath)}:${process.env.PATH}`
  execFileSync(process.execPath, ['scripts/build.ts'], { cwd: folder, env: { ...env, PATH }, stdio: ['ignore', 'ignore', 'inherit'] })
  return folder
}
