import { pino } from 'pino'

export type Log = pino.Logger

/**
 * One JSON line per event on standard output. Callers log route patterns, ids and counts, never URLs with values, bodies, names or addresses. The
 * list below is a safety net for that rule.
 */
export function openLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: ['phone', 'password', 'otp', 'cookie', 'email', 'pan', '*.phone', '*.password', '*.otp', '*.cookie', '*.email', '*.pan'],
      remove: true,
    },
    serializers: { err: describeError },
  })
}

/** Keeps the SQL of a failed statement. Drops its parameters (personal data) and the database's `detail` line, which quotes the row. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 500) }
  const cause = error.cause as { message?: string; code?: string; constraint?: string } | undefined
  return {
    name: error.name,
    message: error.message.split('\nparams:')[0]!.slice(0, 2000),
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.trimStart().startsWith('at '))
      .slice(0, 12)
      .join('\n'),
    ...(cause && { cause: { message: cause.message?.slice(0, 300), code: cause.code, constraint: cause.constraint } }),
  }
}
