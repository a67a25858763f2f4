import { describe, expect, test } from 'vitest'
import { Deadline } from './deadline.server.ts'

const TOO_LATE = expect.objectContaining({ code: 'UNAVAILABLE', reason: 'TOO_LATE' }) as object

describe('the deadline of a write request', () => {
  test('lets a transaction commit that requests its commit in time', async () => {
    const deadline = new Deadline()
    const answer = await deadline.around(async () => {
      deadline.beforeCommit()
      return 'done'
    })
    expect(answer).toBe('done')
  })

  test('rolls back a transaction that requests its commit too late, and starts no further one', async () => {
    const deadline = new Deadline()
    const late = deadline.around(async () => {
      expect(deadline.pass()).toEqual(TOO_LATE)
      deadline.beforeCommit()
    })
    await expect(late).rejects.toEqual(TOO_LATE)
    let hasBegun = false
    const next = deadline.around(async () => (hasBegun = true))
    await expect(next).rejects.toEqual(TOO_LATE)
    expect(hasBegun).toBe(false)
  })

  test('waits for a commit in progress instead of reporting that nothing was done', async () => {
    const deadline = new Deadline()
    await deadline.around(async () => {
      deadline.beforeCommit()
      expect(deadline.pass()).toBeNull()
    })
    expect(deadline.pass()).not.toBeNull()
  })

  test('does not report that nothing was done when a statement ran outside a transaction', () => {
    expect(new Deadline().pass()).toMatchObject({ code: 'UNAVAILABLE', reason: undefined })
  })
})
