/**
 * Finds breaking changes between a released OpenAPI document and its successor. Calls may be added, inputs may become wider, and answers may contain
 * more; clients ignore unknown fields and enumeration values.
 */
export interface ApiDocument {
  info: { version: string }
  paths: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, Schema> }
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> }
  responses: Record<string, { description?: string; content?: Record<string, { schema?: Schema }> }>
  security?: Record<string, unknown>[]
}

type Schema = { [keyword: string]: unknown }
/** `input`: every input that was valid stays valid. `output`: every answer of today could have occurred before. */
type Way = 'input' | 'output'
type Documents = Record<'before' | 'after', ApiDocument>

export function breakingChanges(before: ApiDocument, after: ApiDocument): string[] {
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const now = after.paths[path]?.[method]
      const name = `${method.toUpperCase()} ${path}`
      return now ? operationChanges({ before, after }, operation, now).map((change) => `${name}: ${change}`) : [`${name} is gone`]
    }),
  )
}

function operationChanges(documents: Documents, before: Operation, after: Operation): string[] {
  return [
    ...parameterChanges(documents, before, after),
    ...bodyChanges(documents, before, after),
    ...answerChanges(documents, before, after),
    ...codeChanges(before, after),
    ...rightChanges(before, after),
  ]
}

function parameterChanges(documents: Documents, before: Operation, after: Operation): string[] {
  const idOf = (parameter: { in: string; name: string }) => `${parameter.in} ${parameter.name}`
  const was = new Map((before.parameters ?? []).map((parameter) => [idOf(parameter), parameter]))
  const is = new Map((after.parameters ?? []).map((parameter) => [idOf(parameter), parameter]))
  const removed = [...was.keys()].filter((id) => !is.has(id)).map((id) => `${id} is gone`)
  const stricter = [...is].flatMap(([id, parameter]) => {
    const known = was.get(id)
    const demanded = parameter.required && !known?.required ? [`${id} is required now`] : []
    return [...demanded, ...(known ? new Comparison(documents, 'input').of(known.schema, parameter.schema, id) : [])]
  })
  return [...removed, ...stricter]
}

function bodyChanges(documents: Documents, { requestBody: before }: Operation, { requestBody: after }: Operation): string[] {
  const demanded = after?.required && !before?.required ? ['a body is required now'] : []
  const narrowed = Object.entries(before?.content ?? {}).flatMap(([type, { schema }]) => {
    const now = after?.content[type]
    return now ? new Comparison(documents, 'input').of(schema, now.schema, 'body') : [`a body of ${type} is not taken any more`]
  })
  return [...demanded, ...narrowed]
}

/** Compares successful answers. Clients decide about refusals by their codes. */
function answerChanges(documents: Documents, before: Operation, after: Operation): string[] {
  return Object.entries(before.responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, { content }]) => {
      const now = after.responses[status]
      if (!now) return [`${status} is not answered any more`]
      return Object.entries(content ?? {}).flatMap(([type, { schema }]) => {
        const answered = now.content?.[type]
        return answered
          ? new Comparison(documents, 'output').of(schema, answered.schema, `answer ${status}`)
          : [`${status} is not answered as ${type}`]
      })
    })
}

/** A refusal's description lists its codes: `NOT_FOUND: There is no such thing.; ORDER_PLACED: …`. */
function codesOf({ responses }: Operation): string[] {
  return Object.entries(responses).flatMap(([status, { description = '' }]) =>
    [...description.matchAll(/(?:^|; )([A-Z][A-Z_]+):/g)].map(([, code]) => `${status} ${code}`),
  )
}

function codeChanges(before: Operation, after: Operation): string[] {
  const now = new Set(codesOf(after))
  return codesOf(before)
    .filter((code) => !now.has(code))
    .map((code) => `the refusal ${code} is gone`)
}

/** Every earlier security alternative must have a successor that requires no more. */
function rightChanges(before: Operation, after: Operation): string[] {
  const alternatives = after.security ?? [{}]
  return (before.security ?? [{}])
    .filter((had) => !alternatives.some((alternative) => Object.keys(alternative).every((need) => need in had)))
    .map((had) => `who has ${Object.keys(had).join(' and ') || 'nothing'} may not call it any more`)
}

/** Keywords that bound a value, by the direction in which they may move so that an input stays as wide. */
const MINIMA = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const MAXIMA = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
const FORMS = ['pattern', 'format', 'multipleOf', 'uniqueItems']

class Comparison {
  readonly #documents: Documents
  readonly #way: Way
  /** Pairs of references that are being compared, because schemas may be recursive. */
  readonly #open = new Set<string>()

  constructor(documents: Documents, way: Way) {
    this.#documents = documents
    this.#way = way
  }

  of(before: Schema | undefined, after: Schema | undefined, at: string): string[] {
    const pair = `${String(before?.$ref)} ${String(after?.$ref)}`
    if (before?.$ref && after?.$ref) {
      if (this.#open.has(pair)) return []
      this.#open.add(pair)
    }
    const changes = this.#between(this.#whole('before', before), this.#whole('after', after), at)
    this.#open.delete(pair)
    return changes
  }

  /** Resolves references and merges `allOf`, as if written in place. */
  #whole(which: keyof Documents, schema: Schema | undefined): Schema {
    if (!schema) return {}
    const { $ref, allOf, ...own } = schema
    const named = typeof $ref === 'string' ? [this.#documents[which].components?.schemas?.[$ref.split('/').at(-1)!] ?? {}] : []
    const parts = [...named, ...((allOf as Schema[] | undefined) ?? [])].map((part) => this.#whole(which, part))
    return [...parts, own].reduce<Schema>((all, part) => ({ ...all, ...part, ...joined(all, part) }), {})
  }

  #between(before: Schema, after: Schema, at: string): string[] {
    const [oldBranches, newBranches] = [branchesOf(before), branchesOf(after)]
    if (oldBranches.length > 1 || newBranches.length > 1) return this.#betweenBranches(oldBranches, newBranches, at)
    return [
      ...this.#types(before, after, at),
      ...this.#values(before, after, at),
      ...(this.#way === 'input' ? bounds(before, after, at) : []),
      ...this.#properties(before, after, at),
      ...('items' in before && 'items' in after ? this.of(before.items as Schema, after.items as Schema, `${at}[]`) : []),
    ]
  }

  /** Each branch that must fit has to fit a branch of the other side. */
  #betweenBranches(oldBranches: Schema[], newBranches: Schema[], at: string): string[] {
    const [fitting, others] = this.#way === 'input' ? [oldBranches, newBranches] : [newBranches, oldBranches]
    const fits = (one: Schema, other: Schema) => (this.#way === 'input' ? this.of(one, other, at) : this.of(other, one, at)).length === 0
    const without = fitting.filter((one) => !others.some((other) => fits(one, other)))
    return without.map((one) => `${at}: ${JSON.stringify(one).slice(0, 60)} ${this.#way === 'input' ? 'is not taken any more' : 'is new'}`)
  }

  #types(before: Schema, after: Schema, at: string): string[] {
    const [narrow, wide] = this.#way === 'input' ? [typesOf(before), typesOf(after)] : [typesOf(after), typesOf(before)]
    if (wide === null) return []
    const fits = (type: string) => wide.includes(type) || (type === 'integer' && wide.includes('number'))
    return narrow?.every(fits)
      ? []
      : [`${at}: ${typesOf(before)?.join(' or ') ?? 'anything'} became ${typesOf(after)?.join(' or ') ?? 'anything'}`]
  }

  #values(before: Schema, after: Schema, at: string): string[] {
    const [oldValues, newValues] = [valuesOf(before), valuesOf(after)]
    if (this.#way === 'output') return oldValues !== null && newValues === null ? [`${at} is any value now`] : []
    if (newValues === null) return []
    if (oldValues === null) return [`${at} takes certain values only`]
    return oldValues.filter((value) => !newValues.includes(value)).map((value) => `${at}: ${String(value)} is not taken any more`)
  }

  #properties(before: Schema, after: Schema, at: string): string[] {
    const [oldProperties, newProperties] = [propertiesOf(before), propertiesOf(after)]
    const [needed, needs] = [requiredOf(before), requiredOf(after)]
    const isOutput = this.#way === 'output'
    const demanded = isOutput
      ? needed.filter((name) => name in newProperties && !needs.includes(name)).map((name) => `${at}.${name} may be missing now`)
      : needs.filter((name) => !needed.includes(name)).map((name) => `${at}.${name} is required now`)
    const isClosed = after.additionalProperties === false
    const removed = Object.keys(oldProperties).filter((name) => !(name in newProperties) && (isOutput || isClosed))
    const closed =
      !isOutput && isClosed && before.additionalProperties !== false && 'properties' in before ? [`${at} takes no other keys now`] : []
    return [
      ...demanded,
      ...removed.map((name) => `${at}.${name} is gone`),
      ...closed,
      ...Object.entries(oldProperties).flatMap(([name, schema]) =>
        name in newProperties ? this.of(schema, newProperties[name], `${at}.${name}`) : [],
      ),
    ]
  }
}

const joined = (all: Schema, part: Schema): Schema => ({
  ...('properties' in all && 'properties' in part && { properties: { ...propertiesOf(all), ...propertiesOf(part) } }),
  ...('required' in all && 'required' in part && { required: [...requiredOf(all), ...requiredOf(part)] }),
})

const branchesOf = (schema: Schema): Schema[] => ((schema.anyOf ?? schema.oneOf) as Schema[] | undefined) ?? [schema]
const propertiesOf = ({ properties }: Schema) => (properties as Record<string, Schema> | undefined) ?? {}
const requiredOf = ({ required }: Schema) => (required as string[] | undefined) ?? []
/** Null: any. */
const typesOf = ({ type }: Schema): string[] | null => (type === undefined ? null : ([type].flat() as string[]))
const valuesOf = (schema: Schema): unknown[] | null =>
  'const' in schema ? [schema.const] : ((schema.enum as unknown[] | undefined) ?? null)

function bounds(before: Schema, after: Schema, at: string): string[] {
  const changed = (keyword: string) => `${at}: ${keyword} ${String(before[keyword] ?? 'of none')} became ${String(after[keyword])}`
  const isNarrower = (keyword: string, direction: 1 | -1) =>
    keyword in after && (!(keyword in before) || direction * (Number(after[keyword]) - Number(before[keyword])) > 0)
  return [
    ...MINIMA.filter((keyword) => isNarrower(keyword, 1)),
    ...MAXIMA.filter((keyword) => isNarrower(keyword, -1)),
    ...FORMS.filter((keyword) => keyword in after && after[keyword] !== before[keyword]),
  ].map(changed)
}
