import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { contentSecurityPolicy } from '#src/kit/http/security-headers.server.ts'
import type { AppEnv } from './request.server.ts'

const package_ = join(projectRoot, 'node_modules/swagger-ui-dist')

/**
 * The viewer of the API's document at /api/docs: Swagger UI from its npm package, under the site's own Content-Security-Policy (no inline
 * script, nothing from elsewhere). Serves only the two files that it needs.
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

/** Part of the address of the package's files, so that they may be cached until it changes. */
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
<div id="viewer"><p>The document itself: <a href="/api/v1/openapi.json">openapi.json</a>. Its viewer needs JavaScript.</p></div>
<script nonce="${nonce}" src="/api/docs/swagger-ui-bundle.js?v=${version}"></script>
<script nonce="${nonce}" src="/api/docs/start.js"></script>
</body>
</html>
`

/** The package's colours have too little contrast for sunlight, and its tap targets are too small for a thumb. */
const css = `body{margin:0}header,#viewer>p{padding:12px 20px;font-family:sans-serif}header a{color:#1f5c3a}
.swagger-ui .info .title small{background:#5f584e!important}.swagger-ui .info .title small.version-stamp{background:#1f5c3a!important}
.swagger-ui .info .title small pre{color:#fff!important}.swagger-ui .info .base-url,.swagger-ui .info a,.swagger-ui .info .url{color:#16432a}
.swagger-ui .btn.authorize{color:#16432a;border-color:#16432a}.swagger-ui .btn.authorize svg{fill:#16432a}
.swagger-ui .opblock.opblock-get .opblock-summary-method{background:#1d4f91}
.swagger-ui .opblock.opblock-post .opblock-summary-method{background:#1f5c3a}
.swagger-ui .opblock.opblock-put .opblock-summary-method{background:#8a4b00}
.swagger-ui .opblock.opblock-delete .opblock-summary-method{background:#a93f22}
.swagger-ui .opblock.opblock-patch .opblock-summary-method{background:#0b6b60}
.swagger-ui .opblock .opblock-summary-description{color:#1e1b16}
.swagger-ui .btn.cancel,.swagger-ui .parameter__name.required:after,.swagger-ui .parameter__name.required span{color:#a93f22;border-color:#a93f22}
.swagger-ui .download-contents{background:#1e1b16!important;color:#fff!important}
.swagger-ui .json-schema-2020-12-expand-deep-button{color:#5f584e!important}
.swagger-ui .btn.execute,.swagger-ui .btn-clear{background:#1d4f91;border-color:#1d4f91;color:#fff}
header a,#viewer a{display:inline-flex;align-items:center;min-height:24px}#viewer button,#viewer select,#viewer input{min-width:24px;min-height:24px}
#viewer :focus-visible,header a:focus-visible{outline:3px solid #1f5c3a;outline-offset:2px}
@media(max-width:767px){header a,#viewer a,#viewer button,#viewer select,#viewer input{min-height:44px}#viewer button{min-width:44px}}`

/** A call tried out from here comes from our own page, so it carries the CSRF token like any other. */
const start = `
// Adds the names, landmarks and heading order that the package lacks for screen readers, whenever it renders something.
const missing = [
  ['#servers', { 'aria-label': 'Server' }],
  ['.information-container', { role: 'region', 'aria-label': 'About' }],
  ['.schemes-server-container', { role: 'region', 'aria-label': 'Server and authorization' }],
  ['.info .title', { 'aria-level': '1' }],
  ['h3.opblock-tag, .models > h4', { role: 'heading', 'aria-level': '2' }],
  ['.opblock h4', { 'aria-level': '3' }],
  ['.opblock h5', { 'aria-level': '4' }],
  ['.opblock pre', { tabindex: '0' }],
  ['.responses-table', { 'aria-label': (table) => table.id }],
]
const complete = () => {
  for (const [selector, attributes] of missing)
    for (const element of document.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes))
        if (!element.hasAttribute(name)) element.setAttribute(name, typeof value === 'string' ? value : value(element))
}
new MutationObserver(complete).observe(document.querySelector('#viewer'), { childList: true, subtree: true })
const csrf = () => /(?:^|; )(?:__Host-)?csrf=([^;]+)/.exec(document.cookie)?.[1]
SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#viewer',
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  // A table of contents. Unfolded, from 150 entries on the package renders only what is near, and the browser's search finds nothing else.
  docExpansion: 'none',
  requestInterceptor: async (request) => {
    if (request.method && request.method !== 'GET') {
      if (!csrf()) await fetch('/api/v1/csrf')
      request.headers['X-CSRFToken'] = csrf() ?? ''
    }
    return request
  },
})
`
