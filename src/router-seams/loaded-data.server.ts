import type { EntryContext } from 'react-router'

/** Everything the loaders answered, in the router's own writing. */
export async function readLoadedData({ serverHandoffStream: stream }: EntryContext): Promise<string> {
  let data = ''
  const decoder = new TextDecoder()
  if (stream) for await (const part of stream) data += decoder.decode(part, { stream: true })
  return data
}

/**
 * The router would read the data while it renders, render their place a second time, and prepare all our routes to render one. Here it gets
 * the loaded data and only the routes of this page, and a page can be rendered at once, without a stream.
 * To remove: give `ServerRouter` the context as it came, and render with `renderToPipeableStream`.
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
