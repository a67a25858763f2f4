import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src',
  buildDirectory: 'build',
  ssr: true,
  // The whole route list travels with the first page: it is small, and later taps need no extra fetch on a slow line.
  routeDiscovery: { mode: 'initial' },
  // One file a page: split ones would save a moment of waiting and cost a request each.
  splitRouteModules: false,
  // Whether a form came from our own page is asked before this (kit/http/csrf.server.ts), by the public origin and the page's token. The
  // router's own question compares with the address the request came to, which behind a TLS proxy is another one: every form would
  // be refused. `null` is what a page sends that tells nobody where its visitor came from.
  allowedActionOrigins: ['**', 'null'],
} satisfies Config
