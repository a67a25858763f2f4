import { redirectDocument } from 'react-router'
import { expect, test } from 'vitest'
import { RELOAD_DOCUMENT } from './reload-document.server.ts'

test('is the header by which the router itself asks for a document', () => {
  const { headers } = redirectDocument('/')
  expect(Object.entries(RELOAD_DOCUMENT).map(([name, value]) => [name, headers.get(name) === value])).toEqual([
    ['X-Remix-Reload-Document', true],
  ])
})
