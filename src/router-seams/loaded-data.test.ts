import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { ServerRouter, type EntryContext } from 'react-router'
import { expect, test } from 'vitest'
import { openRouterSite } from '../testing/router-site.tsx'
import { readLoadedData, withLoadedData } from './loaded-data.server.ts'

/** The page of an address, rendered at once with the loaded data, and what the router had given. */
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

test('the router hands the loaded data over as a stream, and their names have not changed', async () => {
  const { entry, data } = await render('/animals/7')
  expect(Object.keys(entry.manifest.routes).toSorted()).toEqual(['animal', 'home', 'other', 'root'])
  expect(entry.staticHandlerContext.matches.map(({ route }) => route.id)).toEqual(['root', 'animal'])
  expect(data).toContain('காளை 7')
})

test('a page is whole after one pass, with the data that its scripts read', async () => {
  const { status, html, data } = await render('/animals/7')
  expect(status).toBe(200)
  expect(html).toContain('<h1>காளை 7</h1>')
  expect(html).not.toContain('<!--$?-->')
  // As the browser's part of the router reads it: the data, then that no more will come.
  const [, sent] = /window\.__reactRouterContext\.streamController\.enqueue\((".*?")\);/.exec(html)!
  expect(JSON.parse(sent!)).toBe(data)
  expect(html).toContain('window.__reactRouterContext.streamController.close()')
})

test('a page carries its own routes, and no others', async () => {
  const { html } = await render('/animals/7')
  expect(html).toContain('/assets/animal.js')
  expect(html).not.toContain('/assets/other.js')
})
