import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

/** The version in package.json, for metrics and traces. */
export const { version: releaseVersion } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')))
