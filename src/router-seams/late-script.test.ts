import { expect, test } from 'vitest'
import { withoutLateScript } from './late-script.ts'
import { withLateScripts } from './late-scripts.server.ts'

test('withoutLateScript removes exactly the script that late-scripts.server.ts adds', () => {
  const head = '<html><head><link rel="modulepreload" href="/assets/frame-1a.js"></head><body><p>65,000</p>'
  const page = withLateScripts(
    `${head}<script nonce="n" type="module" async="">import "/assets/home-2b.js"</script></body>`,
    'n',
    ';after()',
  )
  expect(page).toMatch(/frame-1a[\s\S]*home-2b/)
  const rest = withoutLateScript(page)
  expect(rest).not.toMatch(/frame-1a|home-2b|id="late"/)
  expect(rest).toContain('<p>65,000</p>')
  expect(rest).toContain(';after()')
})
