import { once } from 'node:events'
import { expect, test } from 'vitest'
import { endAll, launchSite } from '#tools/test-kit/site-process.ts'

test('a process that has ended is not waited for while its output is still open', async () => {
  const heir =
    "require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: ['ignore', 1, 2], detached: true })"
  const { child, out, ended } = launchSite({}, { program: '-e', args: [`const { pid } = ${heir}; console.log(pid); process.exit()`] })
  let isClosed = false
  void ended.then(() => (isClosed = true))
  await once(child, 'exit')
  await endAll()
  expect(isClosed).toBe(false)
  await expect.poll(out).toHaveLength(1)
  process.kill(Number(out()[0]), 'SIGKILL')
  await ended
})
