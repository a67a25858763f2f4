import { hostname } from 'node:os'
import type { Span as ApiSpan } from '@opentelemetry/api'
import { isDatabaseAway, sqlState } from '#src/kit/db/database-errors.server.ts'
import { Problem } from '#src/kit/base/problem.ts'
import { collectTraces, type Span, type SpanStart, type Tracer } from '#src/kit/base/traces.server.ts'
import type { Market } from '#src/market/market.server.ts'
import { releaseVersion } from './release-version.server.ts'

/** How long a silent collector may delay a stop, in milliseconds. */
const FLUSH_WITHIN_MS = 2000

/**
 * Sends traces to the collector at OTEL_EXPORTER_OTLP_ENDPOINT (OTLP over HTTP, JSON); without it nothing is loaded. The other OTEL_
 * variables have OpenTelemetry's meaning: headers, sampling, batches, the service's name. Returns a function that sends the rest and stops.
 */
export async function startTracing({ env, log }: Market): Promise<() => Promise<void>> {
  if (!env.tracesTo) return async () => {}
  const { diag, DiagLogLevel, propagation, trace } = await import('@opentelemetry/api')
  const { BatchSpanProcessor, NodeTracerProvider } = await import('@opentelemetry/sdk-trace-node')
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  // Reports an unreachable collector as one log line per batch.
  const say = (message: string) => log.warn({ reason: message.slice(0, 300) }, 'traces were not sent')
  diag.setLogger({ error: say, warn: say, info: () => {}, debug: () => {}, verbose: () => {} }, DiagLogLevel.WARN)
  const provider = new NodeTracerProvider({
    resource: await resourceOfSite(),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  provider.register()
  collectTraces(await tracerOver({ believesHeaders: env.trustedProxies > 0 }))
  return async () => {
    collectTraces(null)
    const late = new Promise<void>((resolve) => setTimeout(resolve, FLUSH_WITHIN_MS).unref())
    await Promise.race([provider.shutdown().catch(() => {}), late])
    trace.disable()
    propagation.disable()
    diag.disable()
  }
}

async function resourceOfSite() {
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = await import('@opentelemetry/resources')
  const ours = { 'service.name': 'sandhai', 'service.version': releaseVersion, 'service.instance.id': `${hostname()}:${process.pid}` }
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES of the operator take precedence.
  return defaultResource()
    .merge(resourceFromAttributes(ours))
    .merge(detectResources({ detectors: [envDetector] }))
}

/** Our spans as OpenTelemetry spans. Accepts a trace header only from a proxy of ours, not from visitors. */
async function tracerOver({ believesHeaders }: { believesHeaders: boolean }): Promise<Tracer> {
  const { context, propagation, SpanKind, trace } = await import('@opentelemetry/api')
  const tracer = trace.getTracer('sandhai')
  const kinds = { in: SpanKind.SERVER, out: SpanKind.CLIENT, own: SpanKind.INTERNAL }
  const start = ({ name, direction, facts, headers }: SpanStart) => {
    const parent = headers && believesHeaders ? propagation.extract(context.active(), Object.fromEntries(headers)) : context.active()
    const span = tracer.startSpan(name, { kind: kinds[direction], ...(facts && { attributes: facts }) }, parent)
    return { span, within: trace.setSpan(parent, span) }
  }
  return {
    around: async (what, act) => {
      const { span, within } = start(what)
      const ours: Span = { rename: (name) => void span.updateName(name), add: (facts) => void span.setAttributes(facts) }
      try {
        return await context.with(within, () => act(ours))
      } catch (error) {
        markFailed(span, error)
        throw error
      } finally {
        span.end()
      }
    },
    begin: (what) => {
      const { span } = start(what)
      return (error) => {
        if (error !== undefined) markFailed(span, error)
        span.end()
      }
    },
  }
}

/** Records the error's code only, because messages may quote what people typed. */
function markFailed(span: ApiSpan, error: unknown): void {
  span.setAttribute('error.type', kindOf(error))
  // SpanStatusCode.ERROR as a number; importing the enum would load the library even without a collector.
  span.setStatus({ code: 2 })
}

function kindOf(error: unknown): string {
  if (error instanceof Problem) return error.code
  const state = sqlState(error)
  if (state) return state
  if (isDatabaseAway(error)) return 'DATABASE_AWAY'
  return error instanceof Error ? error.name : 'Error'
}
