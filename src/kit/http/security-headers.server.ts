import { hash } from 'node:crypto'
import { fromBytes, type PageBytes } from '#src/router-seams/rendered-html.server.ts'

/** The scripts that may run: one response's by its nonce, or a cached page's by their hashes. */
type AllowedScripts = { nonce: string } | { hashes: string[] }

/**
 * The policies of safety.md §4.1. They forbid style attributes, so components must not use React's `style` prop (a test checks this). `isMeasured`:
 * external analytics is configured (content/site-frame/analytics.tsx), so its script and its requests are allowed.
 */
export function contentSecurityPolicy(scripts: AllowedScripts, isHttps: boolean, isMeasured = false): string {
  return [
    "default-src 'none'",
    'nonce' in scripts
      ? `script-src 'nonce-${scripts.nonce}' 'strict-dynamic'`
      : `script-src 'self'${scripts.hashes.map((hash) => ` '${hash}'`).join('')}${isMeasured ? ' https://www.googletagmanager.com' : ''}`,
    'nonce' in scripts ? `style-src 'self' 'nonce-${scripts.nonce}'` : "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    // A clip that was just recorded is a blob URL of the page.
    "media-src 'self' blob:",
    `connect-src 'self'${isMeasured ? ' https://www.googletagmanager.com https://*.google-analytics.com https://*.analytics.google.com' : ''}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isHttps ? ['upgrade-insecure-requests'] : []),
    'report-uri /api/v1/csp-report',
    'report-to csp',
  ].join('; ')
}

/** Headers of every answer. If a browser opens a non-document as a document, it may do nothing. */
export function securityHeaders(isHttps: boolean): Record<string, string> {
  return {
    'Content-Security-Policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'Reporting-Endpoints': 'csp="/api/v1/csp-report"',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'geolocation=(self), camera=(self), microphone=(self), payment=()',
    'X-Frame-Options': 'DENY',
    ...(isHttps && { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' }),
  }
}

/**
 * Removes the nonce from a page before it is cached and allows its inline scripts by their hashes instead. Only scripts rendered with the nonce are
 * allowed, so an injected script stays forbidden.
 */
export function withoutNonce(html: PageBytes, nonce: string): { html: PageBytes; hashes: string[] } {
  const mark = ` nonce="${nonce}"`
  const hashes: string[] = []
  let rest = ''
  let from = 0
  for (let at = html.indexOf(mark); at >= 0; at = html.indexOf(mark, from)) {
    rest += html.slice(from, at)
    from = at + mark.length
    const text = html.indexOf('>', from) + 1
    const tag = html.slice(html.lastIndexOf('<', at), text)
    if (tag.startsWith('<script') && !tag.includes(' src='))
      hashes.push(`sha256-${hash('sha256', fromBytes(html.slice(text, html.indexOf('</script>', text))), 'base64')}`)
  }
  return { html: rest + html.slice(from), hashes }
}
