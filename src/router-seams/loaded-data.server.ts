import type { EntryContext } from 'react-router'

/** Reads the data of all loaders in the router's serialization. */
export async function readLoadedData({ serverHandoffStream: stream }: EntryContext): Promise<string> {
  let data = ''
  const decoder = new TextDecoder()
  if (stream) for await (const part of stream) data += decoder.decode(part, { stream: true })
  return data
}

/**
 * By default the router reads the data while it renders, renders their place a second time, and prepares all routes for a page. This passes it the
 * loaded data and only the page's routes, so a page renders in one pass without a stream.
 * To remove: pass `ServerRouter` the original context, and render with `renderToPipeableStream`.
 */
export function withLoadedData(entry: EntryContext, data: string): EntryContext {
  const read = (value: string, done: boolean) => Object.assign(Promise.resolve(), { result: { value, done } })
  const matched = entry.staticHandlerContext.matches.map(({ route: { id } }) => [id, entry.manifest.routes[id]] as const)
  return {
    ...entry,
    manifest: { ...entry.manifest, routes: Object.fromEntries(matched) },
    serverHandoffStream: new ReadableStream(),
    renderMeta: { streamCache: { 0: read(data, false), 1: read('', true) } },
  }
}
