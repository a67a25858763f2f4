import spectralCore from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { beforeAll, describe, expect, test } from 'vitest'
import bodyExamples from '#src/server/api-examples.json' with { type: 'json' }
import { apiDocument, createCalls } from '#src/server/api.server.ts'
import { policy } from '#src/policy.ts'

interface Operation {
  operationId: string
  security?: Record<string, string[]>[]
  requestBody?: { content: Record<string, { example?: unknown; schema: unknown }> }
}

let document: { paths: Record<string, Record<string, Operation>> }
let operations: [string, Operation][]
beforeAll(() => {
  document = JSON.parse(JSON.stringify(apiDocument(createCalls()))) as typeof document
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [`${method.toUpperCase()} ${path}`, operation]),
  )
})

describe("the API's document", () => {
  test('has no violation of the OpenAPI rules', async () => {
    const spectral = new spectralCore.Spectral()
    // Rules about contact and licence do not apply: the document is served at its own address.
    spectral.setRuleset({
      extends: [[oas as never, 'all']],
      rules: { 'info-contact': 'off', 'info-license': 'off', 'license-url': 'off' },
    } as never)
    const found = await spectral.run(document as never)
    expect(found.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([])
  })

  test('names every operation once', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(ids.filter((id, n) => !/^[a-z][A-Za-z]+$/.test(id) || ids.indexOf(id) !== n)).toEqual([])
  })

  test('says for every operation who may call it', () => {
    for (const [name, { security }] of operations) expect(security?.length, name).toBeGreaterThan(0)
  })

  test('has a valid example for every JSON body', () => {
    const taken = new Map(
      createCalls().openAPIRegistry.definitions.flatMap((each) =>
        each.type === 'route'
          ? [
              [
                `${each.route.method.toUpperCase()} ${each.route.path}`,
                (each.route.request?.body?.content['application/json'] as { schema?: unknown } | undefined)?.schema,
              ],
            ]
          : [],
      ) as [string, { safeParse(value: unknown): { success: boolean; error?: unknown } } | undefined][],
    )
    for (const [name, { requestBody }] of operations) {
      const json = requestBody?.content['application/json']
      if (!json) continue
      expect(json.example, name).toBeDefined()
      const read = taken.get(name)!.safeParse(json.example)
      expect(read.success || read.error, name).toBe(true)
    }
    expect(Object.keys(bodyExamples).filter((name) => !operations.some(([each]) => each === name))).toEqual([])
  })

  test('allows a large body exactly where a body may carry a picture', () => {
    const carries = operations.filter(([, { requestBody }]) =>
      Object.keys(requestBody?.content ?? {}).some((type) => /^multipart\/|octet-stream/.test(type)),
    )
    const room = Object.entries(policy).filter(([, { pictures }]) => pictures)
    expect(room.map(([operation]) => operation).toSorted()).toEqual(carries.map(([name]) => name.replace(' /api/v1', ' ')).toSorted())
    expect(carries.length).toBeGreaterThan(7)
  })

  test('documents no key that is ignored', () => {
    for (const [name, { requestBody }] of operations) expect(JSON.stringify(requestBody ?? {}), name).not.toMatch(/"Ignored/)
  })
})
