import * as messages from '#src/paraglide/messages.js'

interface SmsTemplate {
  /** Our template name and language, as MSG91_TEMPLATES expects it. */
  name: string
  locale: 'ta' | 'en'
  /** In the order of the text: the first `{#var#}` is the first name. */
  variables: string[]
  /** The text as registered with DLT. */
  registered: string
  /** The text as entered with the provider, where variables have names. */
  atProvider: string
}

/** Messages that a person asked for and that are not about their own listing, order or account. DLT requires recorded consent for them. */
const askedFor = /^(saved|enquiry-wanted)/

type Text = (values: Record<string, string>, options: { locale: 'ta' | 'en' }) => string

/** All our SMS texts in both languages, built from the message files. `host` is the site's host name at the end of each code. */
export function smsTemplates(host: string): SmsTemplate[] {
  // Contains all messages of the site, each with its own type; the function filters those for SMS.
  return Object.entries(messages as unknown as Record<string, Text>).flatMap(([key, text]) => {
    const name = /^sms_(.*)/.exec(key)?.[1]?.replaceAll('_', '-')
    return name === undefined ? [] : (['ta', 'en'] as const).map((locale) => templateOf(text, name, locale, host))
  })
}

function templateOf(text: Text, name: string, locale: 'ta' | 'en', host: string): SmsTemplate {
  const variables: string[] = []
  const write = (placeholder: (variable: string) => string) =>
    text(new Proxy({}, { get: (_, variable) => (variable === 'domain' ? host : placeholder(String(variable))) }), { locale })
  const registered = write((variable) => {
    variables.push(variable)
    return '{#var#}'
  })
  return { name: `${name}.${locale}`, locale, variables, registered, atProvider: write((variable) => `##${variable}##`) }
}

/** One CSV file for the upload, one line per template. Every field is quoted, because texts contain commas and line breaks. */
export function smsTemplatesAsCsv({ host, header }: { host: string; header: string }): string {
  const lines = smsTemplates(host).map(({ name, locale, variables, registered, atProvider }) => [
    name,
    askedFor.test(name) ? 'Service Explicit' : 'Service Implicit',
    header,
    locale === 'ta' ? 'Tamil' : 'English',
    locale === 'ta' ? 'Unicode' : 'Text',
    registered,
    variables.join(' '),
    atProvider,
  ])
  const heads = ['Template Name', 'Category', 'Header', 'Language', 'Content Type', 'Template Content', 'Variables', 'Content at MSG91']
  const asField = (text: string) => `"${text.replaceAll('"', '""')}"`
  return [heads, ...lines].map((fields) => fields.map(asField).join(',')).join('\r\n') + '\r\n'
}
