import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { keepClipScripts, renewClipScripts } from './clip-scripts.ts'
import { keepFile } from './keep.ts'

afterEach(() => vi.unstubAllGlobals())

/** A phone's copies of files, and a server whose form script of this build names its recorder. */
function phone() {
  const files = new Map<string, Response>()
  const pathOf = (file: string) => new URL(file, 'https://sandhai.test').pathname
  vi.stubGlobal('location', new URL('https://sandhai.test/sw.js'))
  vi.stubGlobal('caches', {
    match: async (file: string) => files.get(pathOf(file))?.clone(),
    open: async () => ({ put: async (file: string, copy: Response) => void files.set(pathOf(file), copy) }),
  })
  vi.stubGlobal('fetch', async (file: string) => {
    const build = /selling-(\w+)\.js/.exec(file)?.[1]
    return new Response(build ? `import(\`./recorder-${build}.js\`),import(\`./make-small-${build}.js\`)` : 'script')
  })
  return () => [...files.keys()].toSorted()
}

test('the scripts of clips are stored for a phone that has opened a form with clips, and renewed with each build', async () => {
  const files = phone()
  // The worker copies the sell form of a seller who has never opened it.
  await keepFile('/assets/selling-one.js')
  await renewClipScripts(['/assets/selling-one.js'])
  expect(files()).toEqual(['/assets/selling-one.js'])
  await keepClipScripts('https://sandhai.test/assets/selling-one.js')
  expect(files()).toEqual(['/assets/make-small-one.js', '/assets/recorder-one.js', '/assets/selling-one.js'])
  await keepFile('/assets/selling-two.js')
  await renewClipScripts(['/assets/selling-two.js'])
  expect(files()).toEqual(expect.arrayContaining(['/assets/make-small-two.js', '/assets/recorder-two.js']))
})
