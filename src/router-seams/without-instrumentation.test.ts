import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '#src/kit/project-root.server.ts'
import { standIn } from './without-instrumentation.ts'

test('the stand-in covers the exports of the installed router, and other exports stop the build', () => {
  const path = 'node_modules/react-router/dist/production/lib/router/instrumentation.js'
  const source = readFileSync(join(projectRoot, path), 'utf8')
  expect(standIn(source)).toContain('never as instrumentHandler')
  expect(() => standIn(source.replaceAll('instrumentHandler', 'handlerInstrument'))).toThrow(
    'React Router has changed its instrumentation.',
  )
})
