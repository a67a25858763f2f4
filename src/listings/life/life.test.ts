import { describe, expect, test } from 'vitest'
import type { Viewer } from '#src/kit/context.ts'
import { can } from '../policy.ts'
import { isMaterialChange, life, stateAfter, type AnimalFacts, type LifeState, type Lived, type Step } from './life.ts'

const person = (id: number, typeId: number): Viewer => ({ id, name: 'Selvi', typeId, vetApproved: typeId === 5, superAdmin: false })
const SELLER = person(1, 2)
const people = {
  nobody: null,
  seller: SELLER,
  'other seller': person(2, 4),
  buyer: person(3, 1),
  vet: person(4, 5),
  admin: person(5, 9),
  'admin who typed it in': person(6, 9),
  'seller who became a buyer': person(1, 1),
}
type Who = keyof typeof people

const listing = (state: LifeState, changes: Partial<Lived> = {}): Lived => ({
  state: state === 'sold' ? 'passed' : state,
  isSold: state === 'sold',
  stock: 1,
  sellerId: 1,
  createdById: 1,
  editorId: null,
  ...changes,
})

/** Written by hand, independently of the table: who may take a step from which state, and the next state (without and with a valid verdict). */
const expected: [Step, LifeState, Who[], string, string][] = [
  ['submit', 'draft', ['seller', 'admin', 'admin who typed it in'], 'pending', 'pending'],
  ['pass', 'pending', ['admin'], 'passed', 'passed'],
  ['pass', 'failed', ['admin'], 'passed', 'passed'],
  ['fail', 'pending', ['admin'], 'failed', 'failed'],
  ['fail', 'passed', ['admin'], 'failed', 'failed'],
  ['fail', 'sold', ['admin'], 'failed', 'failed'],
  ['fail', 'withdrawn', ['admin'], 'failed', 'failed'],
  ['edit', 'draft', ['seller', 'admin', 'admin who typed it in'], 'draft', 'draft'],
  ['edit', 'pending', ['seller', 'admin', 'admin who typed it in'], 'pending', 'pending'],
  ['edit', 'passed', ['seller', 'admin', 'admin who typed it in'], 'passed', 'passed'],
  ['edit-animal', 'pending', ['seller', 'admin', 'admin who typed it in'], 'pending', 'pending'],
  ['edit-animal', 'passed', ['seller', 'admin', 'admin who typed it in'], 'pending', 'pending'],
  ['edit-animal', 'failed', ['seller', 'admin', 'admin who typed it in'], 'pending', 'pending'],
  ['second-look', 'passed', ['admin'], 'passed', 'passed'],
  ['renew', 'passed', ['seller', 'admin', 'admin who typed it in'], 'passed', 'passed'],
  ['sell', 'pending', ['seller', 'admin', 'admin who typed it in'], 'pending', 'pending'],
  ['sell', 'passed', ['seller', 'admin', 'admin who typed it in'], 'passed', 'passed'],
  ['sell', 'failed', ['seller', 'admin', 'admin who typed it in'], 'failed', 'failed'],
  ['sell', 'sold', ['seller', 'admin', 'admin who typed it in'], 'passed', 'passed'],
  ['withdraw', 'draft', ['seller', 'admin', 'admin who typed it in'], 'withdrawn', 'withdrawn'],
  ['withdraw', 'pending', ['seller', 'admin', 'admin who typed it in'], 'withdrawn', 'withdrawn'],
  ['withdraw', 'passed', ['seller', 'admin', 'admin who typed it in'], 'withdrawn', 'withdrawn'],
  ['withdraw', 'failed', ['seller', 'admin', 'admin who typed it in'], 'withdrawn', 'withdrawn'],
  ['relist', 'withdrawn', ['seller', 'admin', 'admin who typed it in'], 'pending', 'passed'],
  ['relist', 'sold', ['seller', 'admin', 'admin who typed it in'], 'pending', 'passed'],
]
const states: LifeState[] = ['draft', 'pending', 'passed', 'failed', 'withdrawn', 'sold']

describe('the life of a listing', () => {
  test.each((Object.keys(life) as Step[]).flatMap((step) => states.map((state) => [step, state] as const)))('%s from %s', (step, state) => {
    const row = expected.find(([eachStep, eachState]) => eachStep === step && eachState === state)
    const allowed = (Object.keys(people) as Who[]).filter((name) => {
      const createdById = name === 'admin who typed it in' ? 6 : 1
      return can(people[name], 'take-listing-step', { step, listing: listing(state, { createdById }) })
    })
    expect(allowed).toEqual(row?.[2] ?? [])
    if (!row) return
    const { state: from } = listing(state)
    expect([stateAfter(step, from), stateAfter(step, from, true)]).toEqual(row.slice(3))
  })

  test('no stock counts as sold, whatever the mark says; a draft stays a draft', () => {
    expect(can(SELLER, 'take-listing-step', { step: 'relist', listing: listing('passed', { stock: 0 }) })).toBe(true)
    expect(can(SELLER, 'take-listing-step', { step: 'renew', listing: listing('passed', { stock: 0 }) })).toBe(false)
    expect(can(SELLER, 'take-listing-step', { step: 'submit', listing: listing('draft', { stock: 0 }) })).toBe(true)
  })

  test('an admin decides about no listing that they sell, typed in or edited', () => {
    expect(can(people.admin, 'take-listing-step', { step: 'pass', listing: listing('pending', { sellerId: 5 }) })).toBe(false)
    expect(can(people.admin, 'take-listing-step', { step: 'fail', listing: listing('passed', { createdById: 5 }) })).toBe(false)
    expect(can(people.admin, 'take-listing-step', { step: 'pass', listing: listing('pending', { editorId: 5 }) })).toBe(false)
    expect(can(people.admin, 'take-listing-step', { step: 'pass', listing: listing('pending', { editorId: 6 }) })).toBe(true)
    expect(can(people.admin, 'take-listing-step', { step: 'second-look', listing: listing('passed', { editorId: 5 }) })).toBe(false)
  })
})

describe('a material change', () => {
  const cow: AnimalFacts = { categoryId: 1, breedId: 101, genderId: 0, ageId: 6, weightKg: 300, tag: null, photos: ['a', 'b'] }
  test.each<[string, Partial<AnimalFacts>, boolean]>([
    ['nothing', {}, false],
    ['another breed', { breedId: 102 }, true],
    ['another sex', { genderId: 1 }, true],
    ['another age', { ageId: 7 }, true],
    ['another category', { categoryId: 2, breedId: 201 }, true],
    ['a tag', { tag: 'ff' }, true],
    ['ten per cent heavier', { weightKg: 330 }, false],
    ['slightly more than ten per cent heavier', { weightKg: 330.01 }, true],
    ['ten per cent lighter', { weightKg: 270 }, false],
    ['slightly more than ten per cent lighter', { weightKg: 269.99 }, true],
    ['a removed weight', { weightKg: 0 }, true],
    ['a new photo', { photos: ['a', 'b', 'c'] }, true],
    ['a replaced photo', { photos: ['a', 'c'] }, true],
    ['a removed photo', { photos: ['b'] }, false],
    ['another order of the photos', { photos: ['b', 'a'] }, false],
  ])('%s', (_, changes, isOther) => {
    expect(isMaterialChange(cow, { ...cow, ...changes })).toBe(isOther)
  })

  test('the first weighing is one', () => {
    expect(isMaterialChange({ ...cow, weightKg: 0 }, cow)).toBe(true)
    expect(isMaterialChange({ ...cow, weightKg: 0 }, { ...cow, weightKg: 0 })).toBe(false)
  })
})
