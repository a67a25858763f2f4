import type { Config } from '@react-router/dev/config'

export default {
  appDirectory: 'src',
  buildDirectory: 'build',
  ssr: true,
  // The whole route list travels with the first page: it is small, and later taps need no extra fetch on a slow line.
  routeDiscovery: { mode: 'initial' },
  // One file a page: split ones would save a moment of waiting and cost a request each.
  splitRouteModules: false,
  // A page that tells nobody where its visitor came from (Referrer-Policy: no-referrer) sends forms with `Origin: null`. Our own check
  // (kit/csrf.server.ts) stands before and takes that only beside Sec-Fetch-Site: same-origin.
  allowedActionOrigins: ['null'],
} satisfies Config
