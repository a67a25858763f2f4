import { expect, test } from 'vitest'
import { pageOfNumber } from './found-number.ts'

test.each([
  ['SN-000042', '/orders?q=SN-000042'],
  ['sn42', '/orders?q=SN-000042'],
  ['000585', '/orders?q=SN-000585'],
  ['SU-000016', '/admin/tickets?ticket=16'],
  ['su16', '/admin/tickets?ticket=16'],
  ['#20', '/admin/users/20'],
  ['00014', '/product/14?tab=verification'],
])('%s is a number at %s', (text, page) => expect(pageOfNumber(text)).toBe(page))

test.each(['', '0', '00000', 'SN-0', '585', '638701', '638701 Gobi', '9876543210', '12 litres', 'Selvi', 'COW-00014'])(
  '"%s" is looked for otherwise',
  (text) => expect(pageOfNumber(text)).toBeNull(),
)
