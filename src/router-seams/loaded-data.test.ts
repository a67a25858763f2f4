import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { ServerRouter, type EntryContext } from 'react-router'
import { expect, test } from 'vitest'
import { openRouterSite } from '#tools/test-kit/router-site.tsx'
import { readLoadedData, withLoadedData } from './loaded-data.server.ts'

/** Renders a page with the loaded data, and returns the router's context too. */
async function render(path: string) {
  let given: EntryContext | undefined
  let data = ''
  let html = ''
  const open = openRouterSite(async ({ url }, status, headers, entry) => {
    given = entry
    data = await readLoadedData(entry)
    html = renderToString(createElement(ServerRouter, { context: withLoadedData(entry, data), url, nonce: 'N' }))
    return new Response(html, { status, headers })
  })
  const response = await open(path)
  return { status: response.status, entry: given!, data, html }
}

test('the router provides the data as a stream under the known names', async () => {
  const { entry, data } = await render('/animals/7')
  expect(Object.keys(entry.manifest.routes).toSorted()).toEqual(['animal', 'home', 'other', 'root'])
  expect(entry.staticHandlerContext.matches.map(({ route }) => route.id)).toEqual(['root', 'animal'])
  expect(data).toContain('காளை 7')
})

test('one pass renders a complete page with the data for its scripts', async () => {
  const { status, html, data } = await render('/animals/7')
  expect(status).toBe(200)
  expect(html).toContain('<h1>காளை 7</h1>')
  expect(html).not.toContain('<!--$?-->')
  // The format that the router's browser code reads: the data, then the end of the stream.
  const [, sent] = /window\.__reactRouterContext\.streamController\.enqueue\((".*?")\);/.exec(html)!
  expect(JSON.parse(sent!)).toBe(data)
  expect(html).toContain('window.__reactRouterContext.streamController.close()')
})

test('a page lists only its own routes', async () => {
  const { html } = await render('/animals/7')
  expect(html).toContain('/assets/animal.js')
  expect(html).not.toContain('/assets/other.js')
})
