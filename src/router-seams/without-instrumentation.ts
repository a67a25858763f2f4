import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

const UNUSED = ['getRouteInstrumentationUpdates', 'instrumentClientSideRouter', 'instrumentHandler']
const ASKED = ['consumeInstrumentationClientResultMetaReceiver', 'instrumentationResultMetaContext']

/**
 * A Vite plugin that removes React Router's instrumentation hooks from the browser bundle: we do not use them, and they add 1.1 KB to each first
 * visit. Functions that behave like the hooks without a tool replace them. A release with other exports stops the build.
 * To remove: drop it from vite.config.ts and delete this file, once first visits have 1.2 KB to spare (e2e/slow-line.spec.ts).
 */
export function withoutInstrumentation(): Plugin {
  return {
    name: 'without-instrumentation',
    applyToEnvironment: (environment) => environment.name === 'client',
    load(id) {
      return id.endsWith('/react-router/dist/production/lib/router/instrumentation.js') ? standIn(readFileSync(id, 'utf8')) : null
    },
  }
}

/** Returns the replacement module. Throws when `source` exports unknown names. */
export function standIn(source: string): string {
  const exported = /export \{([^}]*)\}/
    .exec(source)?.[1]
    ?.split(',')
    .map((name) => name.trim())
  if (exported?.toSorted().join() !== [...UNUSED, ...ASKED].toSorted().join())
    throw new Error('React Router has changed its instrumentation.')
  return [
    `const never = () => { throw Error('unused') }`,
    `export { ${UNUSED.map((name) => `never as ${name}`).join(', ')} }`,
    `export const ${ASKED[0]} = () => undefined`,
    `export const ${ASKED[1]} = undefined`,
  ].join('\n')
}
