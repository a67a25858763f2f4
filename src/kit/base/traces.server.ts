/** Our own names and numbers, never user input, because traces leave the machine. */
type SpanFacts = Record<string, string | number>

export interface SpanStart {
  name: string
  /** `in`: an incoming request. `out`: an outgoing request. `own`: neither. */
  direction: 'in' | 'out' | 'own'
  facts?: SpanFacts
  /** Request headers, which may carry the trace context of a proxy. */
  headers?: Headers
}

export interface Span {
  rename(name: string): void
  add(facts: SpanFacts): void
}

export interface Tracer {
  /** Runs `act` inside a span. Spans that begin within it become its children. An error of `act` is the span's failure. */
  around<T>(start: SpanStart, act: (span: Span) => Promise<T>): Promise<T>
  /** Begins a span without children. Call the returned function at its end, with the error if it failed. */
  begin(start: SpanStart): (error?: unknown) => void
}

/** Null: nobody collects traces, and a span costs nothing (operation/tracing.server.ts). */
let tracer: Tracer | null = null

export function collectTraces(by: Tracer | null): void {
  tracer = by
}

const NO_SPAN: Span = { rename: () => {}, add: () => {} }
const NOTHING = () => {}

export const traced = <T>(start: SpanStart, act: (span: Span) => Promise<T>): Promise<T> =>
  tracer ? tracer.around(start, act) : act(NO_SPAN)
export const beginSpan = (start: SpanStart): ((error?: unknown) => void) => tracer?.begin(start) ?? NOTHING
