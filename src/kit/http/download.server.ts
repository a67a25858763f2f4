const types: Record<string, string> = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  pdf: 'application/pdf',
}

/** A file that the browser saves under this name and that no cache stores. Its type follows from the ending of the name. */
export const download = (name: string, body: string | Uint8Array | ReadableStream): Response =>
  new Response(body instanceof Uint8Array ? new Uint8Array(body) : body, {
    headers: {
      'Content-Type': types[name.replace(/^.*\./, '')] ?? 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
  })
