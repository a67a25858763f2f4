import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { apiDocument, createCalls } from '#src/server/api.server.ts'
import { projectRoot } from '#src/kit/base/project-root.server.ts'
import { breakingChanges, type ApiDocument } from '#tools/test-kit/api-changes.ts'

/** The document of the last release (docs/operate.md, "Making a release"). */
const released = JSON.parse(readFileSync(join(projectRoot, 'docs/api/released.json'), 'utf8')) as ApiDocument
const present = JSON.parse(JSON.stringify(apiDocument(createCalls()))) as ApiDocument
const major = ({ info }: ApiDocument) => Number(info.version.split('.')[0])

/** Everybody may review a seller now (decisions §8.3): what was refused with this code is done. */
const accepted = ['POST /sellerrating: the refusal 403 NOT_A_CUSTOMER is gone']

describe("the API's document", () => {
  test('does not break programs written for the last release', () => {
    expect(major(present)).toBe(major(released))
    expect(breakingChanges(released, present)).toEqual(accepted)
  })

  test('has a new version number as soon as it differs from the released one', () => {
    const contract = ({ paths, components }: ApiDocument) => ({ paths, components })
    if (present.info.version === released.info.version) expect(contract(present)).toEqual(contract(released))
    expect(present.info.version).toMatch(/^\d+\.\d+\.\d+$/)
  })
})

/** A small document with one of each element, for the tests to change. */
const small = (): Small => ({
  info: { version: '1.0.0' },
  components: {
    schemas: {
      Animal: {
        type: 'object',
        properties: { id: { type: 'integer' }, calf: { $ref: '#/components/schemas/Animal' }, name: { type: 'string' } },
        required: ['id', 'name'],
      },
    },
  },
  paths: {
    '/animals': {
      get: {
        security: [{}, { session: [] }],
        parameters: [{ name: 'top', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50 } }],
        responses: {
          200: { description: 'Animals.', content: json({ type: 'array', items: { $ref: '#/components/schemas/Animal' } }) },
          404: { description: 'NOT_FOUND: There is no such thing.' },
        },
      },
      post: {
        security: [{ session: [], csrf: [] }],
        requestBody: {
          content: json({
            type: 'object',
            additionalProperties: false,
            required: ['name'],
            properties: {
              name: { type: 'string', maxLength: 80 },
              species: { enum: ['cow', 'goat'] },
              note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
            },
          }),
        },
        responses: { 200: { description: 'The animal.', content: json({ $ref: '#/components/schemas/Animal' }) } },
      },
    },
  },
})
const json = (schema: object) => ({ 'application/json': { schema } })
// Loosely typed, so that each test may change anything.
// oxlint-disable-next-line no-explicit-any
type Small = any
const bodyOf = (document: Small) => document.paths['/animals'].post.requestBody.content['application/json'].schema
const getOf = (document: Small) => document.paths['/animals'].get
const animalOf = (document: Small) => document.components.schemas.Animal

const changesBy = (change: (document: Small) => unknown) => {
  const after = small()
  change(after)
  return breakingChanges(small(), after)
}

describe('a breaking change is detected', () => {
  test.each<[string, (document: Small) => unknown, string]>([
    ['a removed path', (d) => delete d.paths['/animals'], 'GET /animals is gone'],
    ['a removed call', (d) => delete d.paths['/animals'].post, 'POST /animals is gone'],
    ['a removed parameter', (d) => (getOf(d).parameters = []), 'GET /animals: query top is gone'],
    ['a parameter that becomes required', (d) => (getOf(d).parameters[0].required = true), 'query top is required now'],
    ['a new required parameter', (d) => getOf(d).parameters.push({ name: 'q', in: 'query', required: true }), 'query q is required now'],
    ['a parameter with a lower maximum', (d) => (getOf(d).parameters[0].schema.maximum = 20), 'query top: maximum 50 became 20'],
    ['a parameter with a higher minimum', (d) => (getOf(d).parameters[0].schema.minimum = 2), 'query top: minimum 1 became 2'],
    ['a body that becomes required', (d) => (d.paths['/animals'].post.requestBody.required = true), 'a body is required now'],
    [
      'a body of another type',
      (d) => (d.paths['/animals'].post.requestBody.content = { 'text/csv': {} }),
      'a body of application/json is not taken',
    ],
    ['a key that becomes required', (d) => bodyOf(d).required.push('species'), 'body.species is required now'],
    ['a key that is no longer accepted', (d) => delete bodyOf(d).properties.note, 'body.note is gone'],
    ['a key of another type', (d) => (bodyOf(d).properties.name = { type: 'integer' }), 'body.name: string became integer'],
    ['a lower maximum length', (d) => (bodyOf(d).properties.name.maxLength = 40), 'body.name: maxLength 80 became 40'],
    ['a pattern', (d) => (bodyOf(d).properties.name.pattern = '^a'), 'body.name: pattern of none became ^a'],
    ['a removed choice', (d) => (bodyOf(d).properties.species.enum = ['cow']), 'body.species: goat is not taken any more'],
    ['a new list of choices', (d) => (bodyOf(d).properties.name.enum = ['a']), 'body.name takes certain values only'],
    ['a removed alternative', (d) => (bodyOf(d).properties.note = { type: 'string' }), 'body.note: {"type":"null"} is not taken any more'],
    ['a removed answer', (d) => delete getOf(d).responses[200], '200 is not answered any more'],
    ['an answer of another type', (d) => (getOf(d).responses[200].content = { 'text/csv': {} }), '200 is not answered as application/json'],
    ['a removed field', (d) => delete animalOf(d).properties.name, 'answer 200[].name is gone'],
    ['a field of another type', (d) => (animalOf(d).properties.id = { type: 'string' }), 'answer 200[].id: integer became string'],
    [
      'a field that becomes nullable',
      (d) => (animalOf(d).properties.name.type = ['string', 'null']),
      'answer 200[].name: string became string or null',
    ],
    [
      'a field with new alternatives',
      (d) => (animalOf(d).properties.id = { anyOf: [{ type: 'integer' }, { type: 'null' }] }),
      'answer 200[].id: {"type":"null"} is new',
    ],
    ['a field that becomes optional', (d) => (animalOf(d).required = ['id']), 'answer 200[].name may be missing now'],
    ['another error code', (d) => (getOf(d).responses[404].description = 'GONE: It is gone.'), 'the refusal 404 NOT_FOUND is gone'],
    [
      'another status of an error code',
      (d) => ((getOf(d).responses[410] = getOf(d).responses[404]), delete getOf(d).responses[404]),
      'the refusal 404 NOT_FOUND is gone',
    ],
    ['a new login requirement', (d) => (getOf(d).security = [{ session: [] }]), 'who has nothing may not call it any more'],
  ])('%s', (_, change, says) => {
    expect(changesBy(change).join('\n')).toContain(says)
  })
})

describe('a compatible change is accepted', () => {
  test.each<[string, (document: Small) => unknown]>([
    ['no change', () => {}],
    ['a new call', (d) => (d.paths['/birds'] = d.paths['/animals'])],
    ['a new optional parameter', (d) => getOf(d).parameters.push({ name: 'q', in: 'query' })],
    ['a parameter with a higher maximum', (d) => (getOf(d).parameters[0].schema.maximum = 100)],
    ['a new optional key', (d) => (bodyOf(d).properties.age = { type: 'integer' })],
    ['a key that becomes optional', (d) => (bodyOf(d).required = [])],
    ['a higher maximum length', (d) => (bodyOf(d).properties.name.maxLength = 100)],
    ['a new choice', (d) => bodyOf(d).properties.species.enum.push('sheep')],
    ['a new field', (d) => (animalOf(d).properties.age = { type: 'integer' })],
    ['a field that is always present', (d) => animalOf(d).required.push('calf')],
    ['a new error code', (d) => (getOf(d).responses[404].description += '; HIDDEN: It is hidden.')],
    ['a removed login requirement', (d) => (d.paths['/animals'].post.security = [{ csrf: [] }])],
  ])('%s', (_, change) => expect(changesBy(change)).toEqual([]))
})
