import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { holdEarlySubmits } from './held-submit.server.ts'
import { ALIVE_EVENT } from './held-submit.ts'

/** A page with one form, reduced to what the script uses. */
function openPage() {
  const dataset: Record<string, string> = {}
  const listeners: Record<string, (event: object) => void> = {}
  const sent: (string | undefined)[] = []
  const button = { dataset: {}, isConnected: true, name: 'act', value: 'add' }
  const form = {
    method: 'post',
    dataset: {},
    isConnected: true,
    elements: [button],
    closest: () => null,
    requestSubmit: (by?: typeof button) => sent.push(by?.value),
  }
  const document = { documentElement: { dataset }, forms: [form] }
  const context = {
    document,
    addEventListener: (name: string, listener: (event: object) => void) => (listeners[name] = listener),
    setTimeout: (act: () => void, ms: number) => (ms ? 0 : act()),
    clearTimeout: () => {},
  }
  runInNewContext(holdEarlySubmits, context)
  const submit = () => {
    let isHeld = false
    listeners.submit!({ target: form, submitter: button, preventDefault: () => (isHeld = true), stopImmediatePropagation: () => {} })
    return isHeld
  }
  return { dataset, listeners, sent, submit }
}

test('a form submitted before its script is held, and sent once with its button when the script is ready', () => {
  const { dataset, listeners, sent, submit } = openPage()
  expect([submit(), sent]).toEqual([true, []])
  dataset.alive = ''
  listeners[ALIVE_EVENT]!({})
  listeners[ALIVE_EVENT]!({})
  expect(sent).toEqual(['add'])
  expect(submit()).toBe(false)
})

test('when the scripts fail, the browser sends the form', () => {
  const { listeners, sent, submit } = openPage()
  expect(submit()).toBe(true)
  listeners.error!({})
  expect(sent).toEqual(['add'])
  expect(submit()).toBe(false)
})
