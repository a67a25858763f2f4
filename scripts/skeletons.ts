/** The new text of each changed file, by its path from the root. */
type Edits = Map<string, string>

/** Skeletons of the recipes in CONTRIBUTING.md: code that passes the types, and no Tamil, so that `messages.test.ts` names the texts that are left to write. */
export const skeletons = { page: pageSkeleton, form: formSkeleton, call: callSkeleton, fact: factSkeleton }

class Draft {
  readonly edits: Edits = new Map()
  readonly #read: (path: string) => string | null

  constructor(read: (path: string) => string | null) {
    this.#read = read
  }

  /** Refuses to replace a file. */
  write(path: string, text: string): void {
    if (this.#read(path) !== null) throw new Error(`${path} exists.`)
    this.edits.set(path, text)
  }

  /** Inserts lines before the first line that begins with `before`, after the text `from`; with `isLast`, before the last one. */
  insert(path: string, before: string, lines: string, { from = '', isLast = false } = {}): void {
    const text = this.edits.get(path) ?? this.#read(path) ?? ''
    const at = isLast ? text.lastIndexOf(`\n${before}`) : text.indexOf(`\n${before}`, text.indexOf(from))
    if (at < 0) throw new Error(`${path} has no line that begins with ${before.trim()}.`)
    this.edits.set(path, `${text.slice(0, at)}\n${lines}${text.slice(at)}`)
  }

  texts(texts: Record<string, string>): void {
    for (const [key, text] of Object.entries(texts))
      for (const locale of ['en', 'ta'])
        this.insert(`messages/${locale}.json`, '  "', `  "${key}": "${locale === 'en' ? text : ''}",`, { isLast: true })
  }
}

type Read = (path: string) => string | null

type Names = ReturnType<typeof namesOf>
/** `name` in kebab case: `offer-fodder`. */
const namesOf = (name: string) => {
  const words = name.split('-')
  const pascal = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
  const plain = words.join(' ')
  return {
    pascal,
    camel: pascal[0]!.toLowerCase() + pascal.slice(1),
    snake: words.join('_'),
    text: plain[0]!.toUpperCase() + plain.slice(1),
  }
}

const pageFile = (name: string, { pascal, snake }: Names) => `import { pageLoader } from '#src/kit/http/page.server.ts'
import { publicMeta } from '#src/kit/http/page-meta.ts'
import { m } from '#src/paraglide/messages.js'
import type { Route } from './+types/${name}-page'

export const loader = pageLoader(async () => ({}))

export const meta = publicMeta<Route.MetaArgs>(() => ({
  title: m.${snake}_title(),
  description: m.${snake}_lead(),
  keywords: import.meta.env.SSR && m.home_keywords(),
  path: '/${name}',
}))

export default function ${pascal}Page() {
  return (
    <div className="page-column">
      <h1 className="text-2xl">{m.${snake}_title()}</h1>
      <p>{m.${snake}_lead()}</p>
    </div>
  )
}
`

function pageSkeleton(read: Read, room: string, name: string): Edits {
  const draft = new Draft(read)
  const names = namesOf(name)
  const { snake, text } = names
  draft.texts({ [`${snake}_title`]: text, [`${snake}_lead`]: `${text}.` })
  draft.insert(
    'src/page-table.ts',
    "  { ...page(':page'",
    `  page('${name}', '${room}/${name}-page.tsx', '${name}', 'anyone', 'listed', 'market', []),`,
  )
  draft.write(`src/${room}/${name}-page.tsx`, pageFile(name, names))
  return draft.edits
}

const formFile = (name: string, { pascal, camel, snake }: Names) => `import { redirect } from 'react-router'
import { z } from 'zod'
import { keepWhenOffline } from '#src/kit/device/offline-form.ts'
import { formHeaders, formLoader, pageAction, textOf } from '#src/kit/http/page.server.ts'
import { plainMeta } from '#src/kit/http/page-meta.ts'
import { parseInput } from '#src/kit/parse-input.ts'
import { localized } from '#src/kit/text/locale.ts'
import { paragraphs } from '#src/kit/text/text.ts'
import { m } from '#src/paraglide/messages.js'
import { fieldsOf } from '#src/ui/field.tsx'
import { FormDone, FormFailure } from '#src/ui/form-failure.tsx'
import { PostForm } from '#src/ui/post-form.tsx'
import { TextAreaField } from '#src/ui/text-area-field.tsx'
import { useFocusOnError } from '#src/ui/use-focus-on-error.ts'
import type { Route } from './+types/${name}-page'

const ${camel}Input = z.object({ note: paragraphs(1000, 'field_${snake}_note', 'field_${snake}_note') })

export const loader = formLoader(async (_, { url }) => ({ isSent: url.searchParams.has('done') }))

export const action = pageAction('${name}', async (ctx, { form }): Promise<never> => {
  // Give this input to a command of the room.
  parseInput(${camel}Input, { note: textOf(form, 'note') })
  throw redirect(localized('/${name}?done=1', ctx.locale))
})

export const clientAction = (args: Route.ClientActionArgs) => keepWhenOffline(args)

export const headers = formHeaders

export const meta = plainMeta<Route.MetaArgs>(() => ({ title: m.${snake}_title(), description: m.${snake}_lead() }))

export default function ${pascal}Page({ loaderData: { isSent }, actionData }: Route.ComponentProps) {
  const refused = actionData?.refused
  const form = useFocusOnError(refused)
  return (
    <div className="page-column max-w-xl">
      <h1 className="text-2xl">{m.${snake}_title()}</h1>
      {isSent && !refused && <FormDone>{m.${snake}_sent()}</FormDone>}
      {refused && <FormFailure detail={refused.detail} />}
      <PostForm ref={form} className="panel space-y-4 p-4">
        <TextAreaField {...fieldsOf('${name}', refused)('note')} rows={4} maxLength={1000} label={m.${snake}_note()} />
        <button type="submit" className="button-primary w-full">
          {m.${snake}_send()}
        </button>
      </PostForm>
    </div>
  )
}
`

function formSkeleton(read: Read, room: string, name: string): Edits {
  const draft = new Draft(read)
  const names = namesOf(name)
  const { snake, text } = names
  const texts = { title: text, lead: `${text}.`, note: 'Note', send: 'Send', sent: 'Sent.' }
  for (const [key, each] of Object.entries(texts)) draft.texts({ [`${snake}_${key}`]: each })
  draft.texts({ [`field_${snake}_note`]: 'Write a note of at most 1000 characters' })
  draft.insert('src/page-table.ts', "  { ...page(':page'", `  page('${name}', '${room}/${name}-page.tsx', '${name}', 'member', 'closed'),`)
  draft.insert('src/policy.ts', '}', `  '${name}': write,`, { from: 'export const actions' })
  const refused = Array<string>(7).fill('VALIDATION').join(',')
  draft.insert('src/checks/actions.expected.csv', 'support,', `${name},,,AUTH_REQUIRED,${refused}`)
  draft.write(`src/${room}/${name}-page.tsx`, formFile(name, names))
  return draft.edits
}

const callFile = (name: string, { pascal, text }: Names) => `import { z } from '@hono/zod-openapi'
import { answer, call, refusals, sendPersonal, type Api } from '#src/kit/http/api.server.ts'

export function add${pascal}Calls(api: Api): void {
  call(api, 'GET /${name}', {
    tags: ['Market'],
    summary: 'List ${text.toLowerCase()}',
    description: '${text}.',
    responses: { 200: answer('${text}.', z.array(z.strictObject({ id: z.int(), name: z.string() }))), ...refusals() },
    // Answer with a read of the room.
    run: async (c) => sendPersonal(c, []),
  })
}
`

function callSkeleton(read: Read, room: string, name: string): Edits {
  const draft = new Draft(read)
  const names = namesOf(name)
  const add = `add${names.pascal}Calls`
  draft.insert('src/server/api.server.ts', '  addCsrf(calls)', `  ${add}(calls)`)
  draft.insert('src/server/api.server.ts', 'import ', `import { ${add} } from '#src/${room}/${name}-api.server.ts'`)
  draft.insert('src/policy.ts', '}', `  'GET /${name}': read,`, { from: 'export const policy' })
  draft.insert('src/checks/policy.expected.csv', 'POST /report,', `GET /${name},/${name},${Array<number>(12).fill(200).join(',')}`)
  draft.write(`src/${room}/${name}-api.server.ts`, callFile(name, names))
  return draft.edits
}

/** With choices ("curly,straight") the fact is one of them, else a whole number. */
function factSkeleton(read: Read, name: string, choices = ''): Edits {
  const draft = new Draft(read)
  const { camel, snake, text } = namesOf(name)
  const codes = choices.split(',').filter(Boolean)
  draft.texts({ [`product_${snake}`]: text, [`sell_${snake}`]: text, [`field_listing_${snake}`]: `Check: ${text}` })
  for (const code of codes) draft.texts({ [`product_${snake}_${code}`]: code })
  const choice = (code: string) => `      ${code}: { label: m.product_${snake}_${code}, picture: HEAD },`
  const kind = codes.length > 0 ? choiceFact(codes, choice) : numberFact
  draft.insert(
    'src/listings/fields/field-table.ts',
    '} as const satisfies FieldTable',
    `  ${camel}: {
    ${kind.answers}
    column: '${snake}',
    asked: { of: RUMINANTS },
    refusal: 'field_listing_${snake}',
    wire: { name: '${snake}', sent: 'Cattle, goats and sheep only.' },
    question: { step: 'more',${kind.control} label: m.sell_${snake} },
    label: m.product_${snake},
    shownOn: everywhere,
  },`,
  )
  const row = (values: string[]) => `    ['${camel}', [${values.map((value) => `'${value}'`).join(', ')}]],`
  const test = 'src/listings/write/listing-input.test.ts'
  draft.insert(test, `    ['tag', [`, row(kind.bad), { from: 'const bad' })
  draft.insert(test, `  ]\n  test.each(good)`, row(kind.good))
  return draft.edits
}

const numberFact = {
  answers: `kind: 'whole',\n    min: 0,\n    max: 100,`,
  control: ` control: 'stepper',`,
  bad: ['101', '-1'],
  good: ['', '0', '100'],
}
const choiceFact = (codes: string[], choice: (code: string) => string) => ({
  answers: `kind: 'choice',\n    choices: {\n${codes.map(choice).join('\n')}\n    },`,
  control: '',
  bad: ['0'],
  good: ['', ...codes],
})
