import { redirectDocument } from 'react-router'
import { expect, test } from 'vitest'
import { RELOAD_DOCUMENT } from './reload-document.server.ts'

test('RELOAD_DOCUMENT is the header that the router itself uses to request a document', () => {
  const { headers } = redirectDocument('/')
  expect(Object.entries(RELOAD_DOCUMENT).map(([name, value]) => [name, headers.get(name) === value])).toEqual([
    ['X-Remix-Reload-Document', true],
  ])
})
