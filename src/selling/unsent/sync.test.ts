import { expect, test } from 'vitest'
import { firstSync, sync, type Sync, type SyncEvent } from './sync.ts'

const first = firstSync({ typed: { key: 'k', name: 'cow' }, version: 3 })
const run = (...events: SyncEvent[]) => events.reduce(sync, first)
const typed = (name: string): SyncEvent => ({ type: 'typed', typed: { key: 'k', name } })
const due: SyncEvent = { type: 'due' }
type Answered = Extract<SyncEvent, { type: 'answered' }>
const answered = (more: Partial<Answered> = {}): Answered => ({
  type: 'answered',
  status: undefined,
  answer: null,
  found: null,
  anotherKey: null,
  isOnline: false,
  isChange: false,
  ...more,
})
const saved = (version: number) => answered({ status: 200, answer: { version, saved: true, sent: false } })
const behind = (name: string, version: number) =>
  answered({ status: 200, answer: { version, saved: false, sent: false }, found: { typed: { key: 'k', name }, version } })
const sent = (more: Partial<Answered> = {}) => answered({ status: 200, answer: { version: 3, saved: false, sent: true }, ...more })
const copy = (name: string, more = {}) => ({ typed: { key: 'k', name }, base: 3, isDirty: true, ...more })
const opened = (more: Partial<Extract<SyncEvent, { type: 'opened' }>> = {}): SyncEvent => ({
  type: 'opened',
  copy: null,
  isOldPage: false,
  answers: first.typed,
  ...more,
})

const states: Record<string, Sync> = {
  saved: first,
  unsaved: run(typed('bull')),
  sending: run(typed('bull'), due),
  conflict: run(typed('bull'), due, behind('calf', 5)),
  stale: run(typed('bull'), due, sent({ isChange: true })),
  submitted: run(typed('bull'), due, sent()),
  ended: run(typed('bull'), { type: 'ended' }),
}
const events: Record<string, SyncEvent> = {
  typed: typed('goat'),
  filled: { type: 'filled', typed: { key: 'k', name: 'goat' } },
  restarted: { type: 'restarted', key: 'k2' },
  otherWindow: { type: 'otherWindowTyped', copy: copy('calf') },
  due,
  saved: saved(4),
  lost: answered(),
  behind: behind('calf', 5),
  sent: sent(),
  changed: sent({ isChange: true }),
  chose: { type: 'chose', which: 'other' },
  rebased: { type: 'rebased', version: '9' },
  ended: { type: 'ended' },
}
/** The name of a state as in `states`. */
const nameOf = (state: Sync) => (state.at !== 'typing' ? state.at : state.sent ? 'sending' : state.isDirty ? 'unsaved' : 'saved')

test('every event in every state leads where the README says', () => {
  const reached = Object.entries(states).map(([from, state]) => {
    const changes = Object.entries(events).flatMap(([name, event]) => {
      // An answer comes only to a text that was sent.
      const isAnswer = event.type === 'answered'
      if (isAnswer && !state.sent && nameOf(state) !== 'ended') return []
      const next = sync(state, event)
      return next === state || nameOf(next) === from ? [] : [`${name}: ${nameOf(next)}`]
    })
    return [from, changes]
  })
  expect(Object.fromEntries(reached)).toEqual({
    saved: ['typed: unsaved', 'filled: unsaved', 'restarted: unsaved', 'rebased: unsaved', 'ended: ended'],
    unsaved: ['otherWindow: conflict', 'due: sending', 'ended: ended'],
    sending: [
      'otherWindow: conflict',
      'saved: saved',
      'lost: unsaved',
      'behind: conflict',
      'sent: submitted',
      'changed: stale',
      'ended: ended',
    ],
    conflict: ['restarted: unsaved', 'chose: unsaved', 'rebased: unsaved', 'ended: ended'],
    stale: ['restarted: unsaved', 'rebased: unsaved', 'ended: ended'],
    submitted: ['ended: ended'],
    ended: [],
  })
})

test('no event but a choice, a discard or a submit makes the form forget an unsaved text', () => {
  for (const from of ['unsaved', 'sending', 'conflict', 'stale'])
    for (const event of [events.otherWindow!, due, answered(), behind('calf', 5), sent({ isChange: true })])
      expect(sync(states[from]!, event), `${from}, ${event.type}`).toMatchObject({ typed: { name: 'bull' }, isDirty: true })
})

test('a save numbers itself above the last one, and text typed meanwhile is saved after it', () => {
  const after = sync(sync(states.sending!, typed('bull calf')), saved(4))
  expect(after).toMatchObject({ version: 4, isDirty: true, sent: null, wait: 1500, saving: 'saved', unanswered: [] })
  expect(sync(after, due)).toMatchObject({ sent: { name: 'bull calf' } })
})

test('a save without an answer that did arrive is not taken for another window', () => {
  const twice = [typed('bull'), due, answered(), typed('bull calf'), due]
  expect(run(...twice, behind('bull', 4))).toMatchObject({ at: 'typing', version: 4, isDirty: true, typed: { name: 'bull calf' } })
  expect(run(...twice, behind('calf', 4))).toMatchObject({ at: 'conflict', other: { typed: { name: 'calf' } }, saving: 'none' })
})

test('a draft that could not be read keeps its version unknown', () => {
  const after = run(typed('bull'), due, answered({ status: 200, answer: { version: 8, saved: false, sent: false } }))
  expect(after).toMatchObject({ version: 3, isDirty: true })
  expect(run(typed('bull'), due, answered({ status: 422 }))).toMatchObject({ version: 0, isDirty: true })
})

test('without an answer the text is on the device or tried again, and a lost login waits for the person', () => {
  const after = (more: Partial<Answered>) => run(typed('bull'), due, answered(more))
  expect(after({})).toMatchObject({ saving: 'device', wait: 10_000 })
  expect(after({ isOnline: true })).toMatchObject({ saving: 'again', wait: 10_000 })
  expect(after({ status: 503 })).toMatchObject({ saving: 'again', wait: 10_000 })
  for (const status of [401, 403]) expect(after({ status })).toMatchObject({ saving: 'logged-out', wait: null })
  expect(sync(after({ status: 401 }), typed('cow'))).toMatchObject({ wait: 1500 })
})

test('the conflict goes on from the version of the other text, whichever is chosen', () => {
  const choose = (which: 'this' | 'other') => sync(states.conflict!, { type: 'chose', which })
  expect(choose('this')).toMatchObject({ version: 5, isDirty: true, wait: 0, other: null, generation: 0, typed: { name: 'bull' } })
  expect(choose('other')).toMatchObject({ version: 5, isDirty: true, wait: 0, other: null, generation: 1, typed: { name: 'calf' } })
  const late = sync(sync(states.sending!, events.otherWindow!), saved(4))
  expect(sync(late, { type: 'chose', which: 'this' })).toMatchObject({ at: 'typing', version: 4 })
})

test('a text that was changed since its submit goes on under a key of its own', () => {
  const after = run(typed('bull'), due, sent({ anotherKey: 'k2' }))
  expect(after).toMatchObject({ at: 'typing', typed: { key: 'k2', name: 'bull' }, isDirty: true, isAnother: true, wait: 1500 })
})

test('a form that was emptied ignores that its former animal was submitted', () => {
  const after = run(typed('bull'), due, { type: 'restarted', key: 'k2' }, sent())
  expect(after).toMatchObject({ at: 'typing', typed: { key: 'k2', stock: '1' }, isDirty: true, sent: null })
})

test('the form opens with the newer of two texts, and asks when both are new', () => {
  expect(run(opened())).toBe(first)
  expect(run(opened({ copy: copy('bull') }))).toMatchObject({ typed: { name: 'bull' }, isDirty: true, generation: 1, wait: 0 })
  expect(run(opened({ copy: copy('bull', { isDirty: false }) }))).toBe(first)
  expect(run(opened({ copy: copy('bull', { isDirty: false }), isOldPage: true }))).toMatchObject({ typed: { name: 'bull' } })
  const old = { base: 2 }
  expect(run(opened({ copy: copy('bull', old) }))).toMatchObject({ at: 'conflict', typed: { name: 'cow' }, isDirty: false })
  expect(run(opened({ copy: copy('cow', old) }))).toBe(first)
  expect(run(opened({ answers: { key: 'k', name: 'early' } }))).toMatchObject({ typed: { name: 'early' }, isDirty: true, generation: 0 })
  expect(run(opened({ answers: { ...first.typed, key: 'other' } }))).toBe(first)
})

test('a reload while a save is under way loses nothing and asks nothing, whichever of both arrives first', () => {
  const before = run(typed('bull'), due, typed('bull calf'))
  const copied = { typed: before.typed, base: before.version, isDirty: before.isDirty, unanswered: before.unanswered }
  const arrived = sync(firstSync({ typed: { key: 'k', name: 'bull' }, version: 4 }), opened({ copy: copied }))
  expect(arrived).toMatchObject({ at: 'typing', typed: { name: 'bull calf' }, version: 4, isDirty: true, wait: 0 })
  const late = [opened({ copy: copied }), due, behind('bull', 4)].reduce(sync, first)
  expect(late).toMatchObject({ at: 'typing', typed: { name: 'bull calf' }, version: 4, isDirty: true })
  // Control: the text of another device, with the same number.
  const other = sync(firstSync({ typed: { key: 'k', name: 'goat' }, version: 4 }), opened({ copy: copied }))
  expect(other).toMatchObject({ at: 'conflict', other: { typed: { name: 'bull calf' } } })
})

test('an emptied form keeps the seller for whom an admin lists', () => {
  const after = run({ type: 'typed', typed: { key: 'k', sellerId: '7', name: 'bull' } }, { type: 'restarted', key: 'k2' })
  expect(after).toMatchObject({ typed: { key: 'k2', stock: '1', sellerId: '7' }, generation: 1 })
})
