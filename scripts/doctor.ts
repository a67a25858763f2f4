import { buildIfNeeded } from './build.ts'

// Reports what is wrong with this installation: `npm run doctor`. It changes nothing and exits with 1 when there are problems.
buildIfNeeded()
const entry = '../build/server/index.js'
const site = (await import(entry)) as typeof import('../src/server/main.server.ts')
const marks = { well: '✓', hint: '·', problem: '✗' }
const findings = await site.examine(process.env)
for (const { what, level, says } of findings) console.log(`${marks[level]} ${what}: ${says}`)
const problems = findings.filter(({ level }) => level === 'problem').length
console.log(problems === 0 ? 'No problems found.' : `Problems: ${problems}.`)
process.exit(problems === 0 ? 0 : 1)
