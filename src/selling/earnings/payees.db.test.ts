import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { makeUser } from '#src/accounts/makers.server.ts'
import type { Viewer } from '#src/kit/context.ts'
import { outbox } from '#src/kit/db/tables.ts'
import { hashPassword } from '#src/kit/passwords.server.ts'
import { testVault } from '#tools/test-kit/test-ctx.ts'
import { refusalOf } from '#tools/test-kit/test-people.ts'
import { shareMarket, type TestMarket } from '#tools/test-kit/test-market.ts'
import { exportPerson, forgetPerson } from '../privacy/privacy.server.ts'
import { payees } from '../tables.ts'
import { findPayees, maskedPayee, removePayee, savePayee, typedPayee, type Payee } from './payees.server.ts'

const PASSWORD = 'a quiet evening'
let market: TestMarket
let passwordHash: string
shareMarket((opened) => (market = opened))
beforeAll(async () => {
  passwordHash = await hashPassword(testVault, PASSWORD)
})

const upi: Payee = { method: 'upi', holder: 'Murugesan', upi: 'murugesan.k@okbank' }
const bank: Payee = { method: 'bank', holder: 'K Murugesan', account: '001234567890', ifsc: 'SBIN0001234' }
const known = async (of: Viewer, as = of) => (await findPayees(market.as(as), [of.id])).get(of.id)?.payee ?? null
const messages = ({ id }: Viewer) =>
  market.ctx.db
    .select()
    .from(outbox)
    .where(and(eq(outbox.userId, id), eq(outbox.template, 'payee-changed')))

describe('the account that earnings are sent to', () => {
  test('is saved with the password only, and an SMS names the masked account at each change', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2, passwordHash })
    expect(await refusalOf(savePayee(market.as(seller), upi, 'wrong'))).toBe('PASSWORD_WRONG')
    expect(await refusalOf(savePayee(market.as(seller), upi, undefined))).toBe('VALIDATION')
    expect(await known(seller)).toBeNull()
    await savePayee(market.as(seller), upi, PASSWORD)
    await savePayee(market.as(seller), upi, PASSWORD)
    expect(await messages(seller)).toMatchObject([{ variables: { account: 'muxxx@okbank' } }])
    await savePayee(market.as(seller), bank, PASSWORD)
    expect(await known(seller)).toEqual(bank)
    expect((await messages(seller)).map(({ variables }) => variables)).toContainEqual({ account: 'xxxx7890' })
    await removePayee(market.as(seller))
    expect(await known(seller)).toBeNull()
  })

  test('is read by its owner and by admins, and is sealed in the database', async () => {
    const [seller, other, admin] = [
      await makeUser(market.ctx, { typeId: 2, passwordHash }),
      await makeUser(market.ctx, { typeId: 2 }),
      await makeUser(market.ctx, { typeId: 9 }),
    ]
    await savePayee(market.as(seller), bank, PASSWORD)
    expect(await known(seller, admin)).toEqual(bank)
    expect(await refusalOf(known(seller, other))).toBe('NOT_FOUND')
    expect(await refusalOf(findPayees(market.as(other), [other.id, seller.id]))).toBe('NOT_FOUND')
    const [row] = await market.ctx.db.select().from(payees).where(eq(payees.userId, seller.id))
    expect(Buffer.from(row!.sealed).toString('latin1')).not.toMatch(/7890|SBIN|Murugesan/)
  })

  test('is in the export of its owner, and is deleted with the account', async () => {
    const seller = await makeUser(market.ctx, { typeId: 2, passwordHash })
    await savePayee(market.as(seller), bank, PASSWORD)
    expect(await exportPerson(market.as(seller), seller.id)).toMatchObject({
      earningsSentTo: { account: '001234567890 · SBIN0001234', holder: 'K Murugesan' },
      payouts: [],
    })
    await forgetPerson(market.as(seller), seller.id)
    expect(await market.ctx.db.$count(payees, eq(payees.userId, seller.id))).toBe(0)
  })
})

describe('the form', () => {
  const errors = (typed: Record<string, string>) =>
    typedPayee
      .safeParse({ holder: 'Kannan', password: '', ...typed })
      .error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  const number = (account: string, again = account) => errors({ method: 'bank', account, again, ifsc: 'SBIN0001234' })

  test.each([
    ['murugesan.k@okbank', 'murugesan.k@okbank'],
    ['  Murugesan.K @ OKBANK ', 'murugesan.k@okbank'],
    ['9876543210@upi', '9876543210@upi'],
    ['upi://pay?pa=kannan%40okbank&pn=Kannan', 'kannan@okbank'],
  ])('reads the UPI id “%s”', (typed, read) => {
    expect(typedPayee.parse({ method: 'upi', holder: 'Kannan', upi: typed, password: '' })).toMatchObject({ upi: read })
  })

  test.each(['', '9876543210', 'kannan@', '@okbank', 'kannan@ok.bank', 'a@b@c', `${'x'.repeat(400)}@upi`])(
    'refuses “%s” as a UPI id',
    (typed) => {
      expect(new Set(errors({ method: 'upi', upi: typed }))).toEqual(new Set(['upi field_upi']))
    },
  )

  test('reads an account in groups or in Tamil digits, and an IFSC with the letter O', () => {
    const typed = { method: 'bank', holder: 'Kannan', account: '0012 3456-7890', again: '௦௦௧௨௩௪௫௬௭௮௯௦', ifsc: 'sbinO001234', password: '' }
    expect(typedPayee.parse(typed)).toMatchObject({ account: '001234567890', ifsc: 'SBIN0001234' })
  })

  test('refuses other accounts and branches, and two numbers that differ', () => {
    for (const account of ['', '12345678', '1234567890123456789', '000000000', '12345678X'])
      expect(number(account)).toContain('account field_account')
    expect(number('001234567890', '001234567891')).toEqual(['again field_account_again'])
    for (const ifsc of ['', 'SBIN1001234', 'SBI00012345', 'SBIN000123', 'SBIN00012345'])
      expect(errors({ method: 'bank', account: '001234567890', again: '001234567890', ifsc })).toEqual(['ifsc field_ifsc'])
    expect(errors({ method: 'cash' })).toEqual(['method field_settle_method'])
  })

  test('a mask keeps a short id unreadable', () => {
    for (const id of ['ab@upi', 'abc@upi']) expect(maskedPayee({ ...upi, upi: id })).toBe('abxxx@upi')
  })
})
