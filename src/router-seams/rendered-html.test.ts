import { expect, test } from 'vitest'
import { openRouterSite } from '#tools/test-kit/router-site.tsx'
import { fromBytes, htmlOf, htmlResponse, textToBytes } from './rendered-html.server.ts'

const page = '<p>காளை &amp; பசு</p>'

test('the router passes a page on unchanged, with status and headers', async () => {
  const open = openRouterSite((_, status, headers) => {
    headers.set('X-Page', 'yes')
    return Promise.resolve(htmlResponse(textToBytes(page), { status, headers }))
  })
  const response = await open('/animals/7')
  expect(fromBytes(htmlOf(response)!).toString()).toBe(page)
  expect([response.status, response.headers.get('X-Page')]).toEqual([200, 'yes'])
  expect((await open('/nowhere')).status).toBe(404)
})

test('htmlOf returns null for the data that scripts request', async () => {
  const open = openRouterSite(() => Promise.resolve(htmlResponse(textToBytes(page), { status: 200, headers: new Headers() })))
  const data = await open('/animals/7.data')
  expect(htmlOf(data)).toBeNull()
  expect(await data.text()).toContain('காளை 7')
})
