import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { ServerRouter } from 'react-router'
import { expect, test } from 'vitest'
import { openRouterSite } from '#tools/test-kit/router-site.tsx'
import { fromBytes, toBytes } from './rendered-html.server.ts'
import { withLateScripts } from './late-scripts.server.ts'
import { readLoadedData, withLoadedData } from './loaded-data.server.ts'

const page = (script: string) =>
  toBytes(
    Buffer.from(
      `<head><link rel="modulepreload" href="/assets/a.js"/><link rel="stylesheet" href="/a.css"/><link rel="modulepreload" href="/assets/b.js"/></head>` +
        `<body><script nonce="N">first()</script>${script}<script nonce="N">last()</script><p>காளை</p></body>`,
    ),
  )

test('the module script waits with all its files, and nothing is preloaded', () => {
  const html = withLateScripts(page('<script nonce="N" type="module" async="">import("/assets/entry.js")</script>'), 'N')
  expect(html).not.toContain('modulepreload')
  expect(html).not.toMatch(/<script[^>]*type="module"/)
  expect(html).toContain(
    '<script nonce="N" type="text/late" id="late">import "/assets/a.js";import "/assets/b.js";import("/assets/entry.js")</script>',
  )
  expect(html).toContain('<link rel="stylesheet" href="/a.css"/>')
  expect(html).toContain('<script nonce="N">first()</script>')
  expect(fromBytes(html).toString()).toContain('<p>காளை</p>')
})

test('a page with unexpected scripts throws instead of being sent without them', () => {
  expect(() => withLateScripts(page(''), 'N')).toThrow('module script')
  expect(() => withLateScripts(page('<script nonce="N" type="module">1</script>'.repeat(2)), 'N')).toThrow('module script')
})

test('the installed router writes one module script with preloads, and all of them wait', async () => {
  const open = openRouterSite(async ({ url }, status, headers, entry) => {
    const context = withLoadedData(entry, await readLoadedData(entry))
    return new Response(renderToString(createElement(ServerRouter, { context, url, nonce: 'N' })), { status, headers })
  })
  const written = await (await open('/animals/7')).text()
  expect(written).toMatch(/<script nonce="N" type="module"/)
  const html = fromBytes(withLateScripts(toBytes(Buffer.from(written)), 'N')).toString()
  const waiting = /<script nonce="N" type="text\/late" id="late">([\s\S]*?)<\/script>/.exec(html)![1]!
  for (const file of ['frame', 'shared', 'entry', 'root', 'animal']) expect(waiting).toContain(`/assets/${file}.js`)
  expect(html.replace(waiting, '')).not.toMatch(/modulepreload|<script[^>]*type="module"/)
})
