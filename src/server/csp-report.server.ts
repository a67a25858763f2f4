import { z } from '@hono/zod-openapi'
import { call, refusals, type Api, type ApiContext } from '#src/kit/http/api.server.ts'
import { Problem, invalidField } from '#src/kit/base/problem.ts'

/** A report is a few hundred bytes; this has room for a page's worth of them. */
const MAX_REPORT_BYTES = 8 * 1024

const types = ['application/csp-report', 'application/reports+json'] as const
const legacyReport = z.object({
  'csp-report': z.object({
    'effective-directive': z.string().optional(),
    'violated-directive': z.string().optional(),
    'blocked-uri': z.string().optional(),
  }),
})
const modernReports = z
  .array(z.object({ body: z.object({ effectiveDirective: z.string().optional(), blockedURL: z.string().optional() }) }))
  .min(1)

/**
 * Browsers report here what our Content-Security-Policy blocked. They send reports without our token, so a report changes nothing. Anybody
 * may write anything into it, so the log gets two validated fields and nothing else.
 */
export function addCspReports(api: Api): void {
  call(api, 'POST /csp-report', {
    tags: ['Site'],
    summary: 'Report a violation of the Content-Security-Policy',
    description: 'Called by browsers. At most 8 KB.',
    middleware: [ofReportType, limitedApart] as const,
    // Described but not validated by the router: browsers differ, and only two fields are read.
    requestBody: { required: true, content: Object.fromEntries(types.map((type) => [type, { schema: {} }])) },
    responses: { 204: { description: 'The report was logged.' }, ...refusals('VALIDATION') },
    run: async (c) => {
      const report = readReport(await readJson(c))
      c.var.ctx.log.warn(report, 'content security policy report')
      return c.body(null, 204, { 'Cache-Control': 'no-store' })
    },
  })
}

async function ofReportType(c: ApiContext, next: () => Promise<void>): Promise<void> {
  const type = c.req.header('content-type')?.split(';')[0]!.trim().toLowerCase()
  if (!types.some((each) => each === type)) throw new Problem('UNSUPPORTED_TYPE')
  if ((await c.req.arrayBuffer()).byteLength > MAX_REPORT_BYTES) throw new Problem('TOO_LARGE')
  await next()
}

/** A limit apart from that of views: one noisy browser extension must not use up the views. */
async function limitedApart(c: ApiContext, next: () => Promise<void>): Promise<void> {
  await c.var.market.limits.take('view', { userId: null, address: `csp|${c.var.address}` })
  await next()
}

async function readJson(c: ApiContext): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text())
  } catch {
    throw new Problem('MALFORMED')
  }
}

function readReport(json: unknown): { directive: string; blocked: string } {
  const old = legacyReport.safeParse(json)
  if (old.success) {
    const report = old.data['csp-report']
    return {
      directive: directiveOf(report['effective-directive'] ?? report['violated-directive']),
      blocked: originOf(report['blocked-uri']),
    }
  }
  const modern = modernReports.safeParse(json)
  if (!modern.success) throw invalidField('json', 'Not a report of a content security policy.')
  const { effectiveDirective, blockedURL } = modern.data[0]!.body
  return { directive: directiveOf(effectiveDirective), blocked: originOf(blockedURL) }
}

const directiveOf = (text: string | undefined) => /^[a-z]{2,20}(-[a-z]{2,20}){0,3}(?= |$)/.exec(text ?? '')?.[0] ?? 'unknown'

/** Only the origin: the paths of addresses are private. */
function originOf(text: string | undefined): string {
  if (text && /^(inline|eval|wasm-eval|self|data|blob|trusted-types-(policy|sink))$/.test(text)) return text
  if (!text || !URL.canParse(text)) return 'unknown'
  const { origin, protocol } = new URL(text)
  return (origin === 'null' ? protocol : origin).slice(0, 100)
}
