import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { ServerRouter, type EntryContext } from 'react-router'
import { expect, test } from 'vitest'
import { openRouterSite } from '#tools/test-kit/router-site.tsx'
import { readLoadedData, withLoadedData } from './loaded-data.server.ts'
import { onServer, readOnServer } from './on-server.ts'

test("server-only loader data is in the page's HTML and not repeated as data", async () => {
  let drawn: unknown
  let data = ''
  const open = openRouterSite(
    async ({ url }, status, headers, entry: EntryContext) => {
      drawn = entry.staticHandlerContext.loaderData.animal
      data = await readLoadedData(entry)
      return new Response(renderToString(createElement(ServerRouter, { context: withLoadedData(entry, data), url })), { status, headers })
    },
    () => ({ name: 'காளை', page: onServer({ price: '₹ 65,000', keeper: 'முருகேசன்' }) }),
  )
  await open('/animals/7')
  const { page } = drawn as { page: ReturnType<typeof onServer<{ price: string }>> }
  expect(readOnServer(page).price).toBe('₹ 65,000')
  expect(data).toContain('காளை')
  expect(data).not.toContain('65,000')
  expect(data).not.toContain('முருகேசன்')
})
