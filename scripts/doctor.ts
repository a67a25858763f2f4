import { buildIfNeeded } from './build.ts'

// What is wrong with this installation, in words: `npm run doctor`. It changes nothing, and ends with 1 when something has to be mended.
buildIfNeeded()
const entry = '../build/server/index.js'
const site = (await import(entry)) as typeof import('../src/main.server.ts')
const marks = { well: '✓', hint: '·', problem: '✗' }
const findings = await site.examine(process.env)
for (const { what, level, says } of findings) console.log(`${marks[level]} ${what}: ${says}`)
const problems = findings.filter(({ level }) => level === 'problem').length
console.log(problems === 0 ? 'Nothing has to be mended.' : `To be mended: ${problems}.`)
process.exit(problems === 0 ? 0 : 1)
