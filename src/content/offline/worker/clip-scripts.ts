import { clipScriptsIn } from '#src/content/offline/copy-rules.ts'
import { FILE_COPIES } from '#src/content/offline/names.ts'
import { keepFile, matchOptions } from './keep.ts'
import { savesData, scope } from './scope.ts'
import { records } from './store.ts'

const KEY = 'clip-scripts'

/**
 * Stores the scripts that record a clip and make it small. They have 100 KB, so only the phone of a person who has opened a form with clips
 * stores them: the script `from` of that form names them. Not when the phone saves data.
 */
export async function keepClipScripts(from: string): Promise<void> {
  if (savesData()) return
  await records.write('facts', (facts) => facts.put(true, KEY))
  const { pathname } = new URL(from, scope.location.origin)
  await keepFile(pathname)
  await keepNamedIn([pathname])
}

/** The same for the scripts of a newer build, when this phone has had them before. */
export async function renewClipScripts(files: readonly string[]): Promise<void> {
  if (await records.read('facts', (facts) => facts.get(KEY))) await keepNamedIn(files)
}

async function keepNamedIn(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const script = await caches.match(file, { ...matchOptions, cacheName: FILE_COPIES })
    for (const needed of script ? clipScriptsIn(await script.text()) : []) await keepFile(needed)
  }
}
