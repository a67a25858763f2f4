import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { isMet, type Figure, type Section } from './result.ts'

const shown = ({ value, unit }: Figure) => `${unit === '×' || unit === 's' ? value.toFixed(2) : Math.round(value * 10) / 10} ${unit}`
const promise = ({ atLeast, atMost }: Figure) => (atLeast !== undefined ? `≥ ${atLeast}` : atMost !== undefined ? `≤ ${atMost}` : '')
const verdict = (figure: Figure) => (promise(figure) === '' ? '' : isMet(figure) ? 'kept' : 'MISSED')

/** Prints every figure, and writes .bench/report.md and .bench/report.html. */
export function report(sections: Section[]): void {
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.versions.node}`
  const text = [
    '# Bench',
    '',
    `${machine}. Each figure is a ratio of two alternating measurements of this run, or a count, because absolute times depend on the machine.`,
    ...sections.flatMap(({ title, explains, figures }) => [
      '',
      `## ${title}`,
      '',
      explains,
      '',
      '| | figure | promised | | |',
      '| --- | --- | --- | --- | --- |',
      ...figures.map((figure) => `| ${figure.name} | **${shown(figure)}** | ${promise(figure)} | ${verdict(figure)} | ${figure.note} |`),
    ]),
    '',
  ].join('\n')
  console.log(text)
  const dir = join(projectRoot, '.bench')
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'report.md'), text)
  writeFileSync(join(dir, 'report.html'), page(machine, sections))
  const missed = sections.flatMap(({ figures }) => figures).filter((figure) => !isMet(figure))
  console.log(missed.length === 0 ? 'Every promise was kept.' : `Missed: ${missed.map(({ name }) => name).join(', ')}`)
  console.log('The same with charts: .bench/report.html')
  if (missed.length > 0) process.exitCode = 1
}

const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

function page(machine: string, sections: Section[]): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sandhai bench</title><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;background:#fbf6ea;color:#1e1b16}
svg{width:100%;height:auto;display:block} .note{color:#5f584e;font-size:.85rem} h2{margin-top:2.5rem}
</style><h1>Sandhai bench</h1><p>${escape(machine)}. Each bar is a ratio of two things measured in turn in one run, or a count.
The line is what was promised; a bar is green when the promise was kept, red when not, grey when nothing was promised.</p>
${sections.map(section).join('\n')}</html>`
}

const ROW = 46
const LEFT = 300
const WIDTH = 560

function section({ title, explains, figures }: Section): string {
  // One scale per unit, because KB and numbers of statements cannot share one.
  const scaleMax = new Map<string, number>()
  for (const figure of figures) {
    const reach = Math.max(figure.value, figure.atLeast ?? 0, figure.atMost ?? 0)
    scaleMax.set(figure.unit, Math.max(scaleMax.get(figure.unit) ?? 0, reach))
  }
  const rows = figures.map((figure, index) => {
    const scale = WIDTH / scaleMax.get(figure.unit)!
    const y = index * ROW
    const limit = figure.atLeast ?? figure.atMost
    const color = limit === undefined ? '#b7ab95' : isMet(figure) ? '#1f5c3a' : '#a93f22'
    return `<text x="${LEFT - 10}" y="${y + 18}" text-anchor="end">${escape(figure.name)}</text>
<rect x="${LEFT}" y="${y + 4}" width="${Math.max(2, figure.value * scale).toFixed(1)}" height="20" rx="3" fill="${color}"/>
${limit === undefined ? '' : `<line x1="${LEFT + limit * scale}" x2="${LEFT + limit * scale}" y1="${y}" y2="${y + 28}" stroke="#f2b01e" stroke-width="4"/>`}
<text x="${LEFT + WIDTH + 12}" y="${y + 18}" font-weight="700">${escape(shown(figure))}</text>
<text x="${LEFT + WIDTH + 110}" y="${y + 18}" fill="#5f584e">${escape(promise(figure))} ${escape(verdict(figure))}</text>
<text x="${LEFT}" y="${y + 38}" font-size="11" fill="#5f584e">${escape(figure.note)}</text>`
  })
  return `<h2>${escape(title)}</h2><p class="note">${escape(explains)}</p>
<svg viewBox="0 0 ${LEFT + WIDTH + 260} ${figures.length * ROW}" font-family="system-ui,sans-serif" font-size="14" role="img" aria-label="${escape(title)}">${rows.join('')}</svg>`
}
