import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { projectRoot } from './kit/project-root.server.ts'
import { contentSecurityPolicy } from './kit/security-headers.server.ts'
import type { AppEnv } from './request.server.ts'

const package_ = join(projectRoot, 'node_modules/swagger-ui-dist')

/**
 * The viewer of the API's document at /api/docs: Swagger UI from its npm package, under the site's own Content-Security-Policy
 * (no inline script, nothing from elsewhere). Only the two files it needs are served.
 */
export function apiDocs(): Hono<AppEnv> {
  const docs = new Hono<AppEnv>()
  docs.get('/', (c) => {
    const nonce = randomBytes(16).toString('base64')
    const policy = contentSecurityPolicy({ nonce }, c.var.market.env.publicOrigin.startsWith('https:'))
    return c.html(page(nonce), 200, { 'Cache-Control': 'no-store', 'Content-Security-Policy': policy })
  })
  docs.get('/start.js', (c) => c.body(start, 200, { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' }))
  docs.get('/page.css', (c) => c.body(css, 200, { 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' }))
  for (const file of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
    docs.get(
      `/${file}`,
      serveStatic({
        root: package_,
        rewriteRequestPath: () => `/${file}`,
        onFound: (_, c) => void c.header('Cache-Control', 'public, max-age=31536000, immutable'),
      }),
    )
  }
  return docs
}

/** In the address of the package's files, so that they may be kept until it changes. */
const version = (JSON.parse(readFileSync(join(package_, 'package.json'), 'utf8')) as { version: string }).version

const page = (nonce: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sandhai API</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/api/docs/swagger-ui.css?v=${version}">
<link rel="stylesheet" href="/api/docs/page.css">
</head>
<body>
<header><a href="/en">← Sandhai</a></header>
<main id="viewer"><noscript>This viewer needs JavaScript. The document itself: <a href="/api/v1/openapi.json">openapi.json</a></noscript></main>
<script nonce="${nonce}" src="/api/docs/swagger-ui-bundle.js?v=${version}"></script>
<script nonce="${nonce}" src="/api/docs/start.js"></script>
</body>
</html>
`

const css = 'body{margin:0}header{padding:12px 20px;font-family:sans-serif}header a{color:#1f5c3a}'

/** Trying out a call from here is a call from our own page: it carries the CSRF token like any other. */
const start = `
const csrf = () => /(?:^|; )(?:__Host-)?csrf=([^;]+)/.exec(document.cookie)?.[1]
SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#viewer',
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  requestInterceptor: async (request) => {
    if (request.method && request.method !== 'GET') {
      if (!csrf()) await fetch('/api/v1/csrf')
      request.headers['X-CSRFToken'] = csrf() ?? ''
    }
    return request
  },
})
`
