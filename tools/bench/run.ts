import { buildIfNeeded } from '../../scripts/build.ts'
import { desksAtScale } from './desks.ts'
import { firstLoads } from './first-load.ts'
import { backupAtScale } from './backup.ts'
import { besideFloor } from './floor.ts'
import { memoryUnderUploads } from './memory.ts'
import { pagesUnderLoad } from './pages.ts'
import { phonePages } from './phone.ts'
import { report } from './report.ts'
import type { Section } from './result.ts'
import { startAndMemory } from './start.ts'

// Every figure is a ratio of two alternating measurements in this run on this machine, because absolute times depend on the machine. `npm run bench
// -- pages start` runs only those parts.
const parts: Record<string, () => Promise<Section[]>> = {
  floor: besideFloor,
  pages: pagesUnderLoad,
  start: startAndMemory,
  backup: backupAtScale,
  memory: memoryUnderUploads,
  phone: phonePages,
  'first-visit': async () => [await firstLoads()],
  desks: desksAtScale,
}
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0) {
  console.error(`Unknown part: ${unknown.join(', ')}. Parts: ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}
buildIfNeeded()
const sections: Section[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  console.log(`Measuring: ${name} …`)
  sections.push(...(await measure()))
}
report(sections)
