import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

/** Starts the built site with the sample market in an embedded database of its own. `use` gets its origin. */
export async function withSampleSite<T>(use: (origin: string) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandhai-bench-'))
  const site = spawn(process.execPath, ['server.ts'], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH ?? '', PORT: '0', LOG_LEVEL: 'error', DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let output = ''
    for await (const chunk of site.stdout) {
      output += chunk
      if (output.includes('is open')) break
    }
    const port = /localhost:(\d+)/.exec(output)?.[1]
    if (port === undefined) throw new Error(`The site did not start:\n${output}`)
    return await use(`http://localhost:${port}`)
  } finally {
    site.kill('SIGKILL')
    rmSync(dataDir, { recursive: true, force: true })
  }
}
