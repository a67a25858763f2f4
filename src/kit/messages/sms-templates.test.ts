import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { missingTemplates } from './sms.server.ts'
import { smsTemplates, smsTemplatesAsCsv } from './sms-templates.server.ts'

const HOST = 'sandhai.example'
const texts = (locale: string) =>
  Object.entries(JSON.parse(readFileSync(join(projectRoot, `messages/${locale}.json`), 'utf8')) as Record<string, string>).filter(([key]) =>
    key.startsWith('sms_'),
  )

describe('the SMS template file for DLT', () => {
  const { data } = Papa.parse<Record<string, string>>(smsTemplatesAsCsv({ host: HOST, header: 'SNDHAI' }), {
    header: true,
    skipEmptyLines: true,
  })
  const byName = new Map(data.map((line) => [line['Template Name'], line]))

  test('has each text in both languages, with a placeholder for each value', () => {
    for (const locale of ['ta', 'en'])
      for (const [key, text] of texts(locale)) {
        const line = byName.get(`${key.slice('sms_'.length).replaceAll('_', '-')}.${locale}`)
        expect(line, key).toBeDefined()
        expect(line!['Template Content'], key).toBe(text.replaceAll('{domain}', HOST).replace(/\{\w+\}/g, '{#var#}'))
        expect(line!['Content at MSG91'], key).toBe(text.replaceAll('{domain}', HOST).replace(/\{(\w+)\}/g, '##$1##'))
        expect(line!['Variables'], key).toBe([...text.matchAll(/\{(?!domain)(\w+)\}/g)].map(([, name]) => name).join(' '))
      }
    expect(data).toHaveLength(texts('ta').length + texts('en').length)
  })

  test('gives the sender, the alphabet and the consent category of each', () => {
    for (const line of data) {
      expect(line['Header']).toBe('SNDHAI')
      expect(line['Content Type']).toBe(/[\u0B80-\u0BFF]/.test(line['Template Content']!) ? 'Unicode' : 'Text')
    }
    expect(byName.get('otp-login.ta')!['Category']).toBe('Service Implicit')
    expect(byName.get('saved-found.en')!['Category']).toBe('Service Explicit')
  })

  test('names exactly the templates that the site requires at its start', () => {
    const templates = Object.fromEntries(smsTemplates(HOST).map(({ name }) => [name, 'id']))
    const account = { provider: 'msg91' as const, baseUrl: '', authKey: '' }
    expect(missingTemplates({ ...account, templates })).toEqual([])
    expect(missingTemplates({ ...account, templates: {} }).toSorted()).toEqual(Object.keys(templates).toSorted())
  })
})
