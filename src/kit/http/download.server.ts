const types: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  pdf: 'application/pdf',
}

/** Sends a file that the browser saves under this name; no cache stores it. The ending of the name gives its type. */
export const download = (name: string, body: string | Uint8Array | ReadableStream): Response =>
  new Response(body instanceof Uint8Array ? new Uint8Array(body) : body, {
    headers: {
      'Content-Type': types[name.replace(/^.*\./, '')] ?? 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
  })
