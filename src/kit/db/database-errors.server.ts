/** Returns the SQLSTATE of a failed statement ("23505" unique, "23514" check …), also when the driver has wrapped the error several times. */
export function sqlState(error: unknown): string | undefined {
  for (let e = error as { code?: unknown; cause?: unknown } | undefined; e; e = e.cause as typeof e) {
    if (typeof e.code === 'string' && /^[0-9A-Z]{5}$/.test(e.code)) return e.code
  }
  return undefined
}

/**
 * True when a retry may help: the database is unreachable, is starting up, lacks resources (class 53: disk, memory, connections), is read-only
 * (25006), or cancelled the statement in favour of others (55P03 and 57014 time-outs, 40P01 deadlock, 40001 serialization). Every other error is a
 * bug.
 */
export function isDatabaseAway(error: unknown): boolean {
  for (let e = error as { code?: unknown; message?: unknown; cause?: unknown } | undefined; e; e = e.cause as typeof e) {
    if (typeof e.code === 'string' && (UNREACHABLE.test(e.code) || OUT_OF_ORDER.test(e.code))) return true
    if (typeof e.message === 'string' && /timeout exceeded when trying to connect|Connection terminated|is not queryable/i.test(e.message))
      return true
  }
  return false
}

const UNREACHABLE = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|E(HOST|NET)UNREACH|ENOTFOUND|EAI_AGAIN)$/
const OUT_OF_ORDER = /^(08\w{3}|53\w{3}|57P0[123]|57014|55P03|40P01|40001|25006|25P03|58030)$/
