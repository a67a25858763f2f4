import { parseArgs } from 'node:util'
import { asOperator } from './operator.ts'

// `npm run sms-templates -- --header SNDHAI > sms-templates.csv`: every SMS in both languages as one file for DLT, with the host of PUBLIC_ORIGIN.
// `-- --variable` prints MSG91_TEMPLATES with a placeholder per id. Needs no database and no other variable.
const USAGE = 'Use it as: npm run sms-templates -- --header SNDHAI [--host sandhai.example], or: npm run sms-templates -- --variable'
await asOperator(USAGE, async (site) => {
  const { values } = parseArgs({
    options: { header: { type: 'string' }, host: { type: 'string' }, variable: { type: 'boolean', default: false } },
  })
  const origin = process.env.PUBLIC_ORIGIN
  const host = values.host ?? (origin && URL.canParse(origin) ? new URL(origin).hostname : undefined)
  if (values.variable) {
    console.log(`MSG91_TEMPLATES=${site.smsTemplates('').map(({ name }) => `${name}=…`)}`)
    return
  }
  if (!/^[A-Z]{6}$/i.test(values.header ?? '') || host === undefined) throw new Error(USAGE)
  process.stdout.write(site.smsTemplatesAsCsv({ host, header: values.header! }))
})
