import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { canSendEmail, EnvError, readEnv, withSecrets } from './env.server.ts'

function mistakes(variables: Record<string, string>): string[] {
  try {
    readEnv(variables)
    return []
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return error.lines
  }
}

const SECRET = 'q7-nobody-may-read-this-q7'
const live = {
  MARKET_MODE: 'live',
  DATABASE_URL: 'postgres://market:pw@db.internal/market',
  PUBLIC_ORIGIN: 'https://sandhai.example',
  SESSION_SECRET: 'k3T9vQz7LmX2pRw8YbN4cHs6JdF1gA5eUoIyVtKrZBM',
  PEPPER: '9f1c7e4ab2d80563f7e91a4cc8b35d2670ae41fb98d3c516',
  SMS_PROVIDER: 'msg91',
  MSG91_AUTH_KEY: 'key-0123456789',
  MSG91_TEMPLATES: 'otp.ta=flowta0001, otp.en=flowen0001',
}

describe('each mistake gives one clear line that names the variable and hides the value', () => {
  const broken: [string, string[]][] = [
    ['PORT', ['-1', '65536', '99999', '3000.5', '0x1f90', '3e3', 'http', '30 00', '٣٠٠٠', `80;${SECRET}`, '1'.repeat(400)]],
    ['HOST', ['http://0.0.0.0', 'a b', 'host/path', `;${SECRET}`, 'மாடு', '0.0.0.0,::']],
    ['MARKET_MODE', ['production', 'LIVE', 'Demo', '1', SECRET]],
    [
      'DATABASE_URL',
      [
        'localhost',
        'mysql://root@localhost/x',
        'postgres:localhost',
        'postgres//u:p@h/x',
        `postgres://u:${SECRET}@h:port/x`,
        'postgres://',
        'postgres:///',
        `http://u:${SECRET}@h`,
        'postgres://h:99999/x',
      ],
    ],
    [
      'PUBLIC_ORIGIN',
      [
        'sandhai.example',
        'https://sandhai.example/',
        'https://sandhai.example/shop',
        'https://Sandhai.Example',
        'ftp://sandhai.example',
        'https://',
        `https://u:${SECRET}@sandhai.example`,
        'https://sandhai.example:443',
        'null',
      ],
    ],
    [
      'PICTURES_BUCKET',
      [
        'pictures',
        's3://pictures',
        'http://s3.example/pictures',
        'https://s3.example/pictures/below',
        'https://s3.example/P',
        `https://u:${SECRET}@s3.example/pictures`,
        'https://s3.example/pictures?x=1',
      ],
    ],
    ['VAPID_PUBLIC_KEY', ['short', `A${'x'.repeat(86)}`, `B${'x'.repeat(85)}!`]],
    ['VAPID_PRIVATE_KEY', ['short', SECRET, `${'x'.repeat(42)}=`]],
    ['VAPID_CONTACT', ['office@sandhai.example', 'http://sandhai.example', `mailto:x@y.example?subject=${SECRET}`]],
    [
      'PUSH_ORIGINS',
      ['push.example', 'http://push.example', 'https://push.example/', 'https://push.example,', `https://u:${SECRET}@push.example`],
    ],
    ['PICTURES_REGION', ['ap south', `${SECRET};`, 'AP-SOUTH-1']],
    ['PICTURES_KEY_ID', ['a b', `${SECRET} and more`]],
    ['PICTURES_SECRET', ['a b', `${SECRET} and more`]],
    ['DATABASE_DIRECT_URL', ['localhost', 'mysql://root@localhost/x', `http://u:${SECRET}@h`]],
    ['DATABASE_CLUSTER', ['a b', 'x;y', 'x'.repeat(41)]],
    ['DATABASE_OWNER_URL', ['localhost', 'mysql://root@localhost/x', `http://u:${SECRET}@h`]],
    ['LOG_LEVEL', ['verbose', 'DEBUG', '10', 'trace']],
    ['RATE_LIMIT_FACTOR', ['0', '-1', '1001', '1.5', 'x']],
    ['TRUSTED_PROXIES', ['-1', '6', 'true', '1,2']],
    ['DB_PREPARE', ['yes', '2', 'false']],
    ['OFFLINE_COPIES', ['yes', '2', 'off']],
    ['SESSION_SECRET', ['short', 'x'.repeat(31), SECRET]],
    ['PEPPER', ['short', 'x'.repeat(31), SECRET]],
    ['PEPPER_OLD', ['short', 'x'.repeat(31), SECRET]],
    ['PEPPER_NEXT', ['short', 'x'.repeat(31), SECRET]],
    ['AUTH_ENUMERATION', ['yes', 'none']],
    ['ANALYTICS_ID', ['UA-1', 'G-', 'g-abc123', "G-ABC123' https://evil.example"]],
    ['PINCODE_EXEMPT', ['605', '605001;605002', '012345', '605001,']],
    ['SMS_PROVIDER', ['twilio', 'true']],
    ['MSG91_AUTH_KEY', ['short', `${SECRET} with blanks`, `${SECRET}\r\nx-header: 1`]],
    ['MSG91_TEMPLATES', ['otp', 'otp.ta', 'otp.ta=', 'otp.hi=flow0001', `otp.ta=${SECRET}!`, 'otp.ta=flow0001,']],
    [
      'MSG91_BASE_URL',
      ['control.msg91.com', 'http://control.msg91.com', 'https://control.msg91.com/api', `https://u:${SECRET}@control.msg91.com`],
    ],
    [
      'SMTP_URL',
      [
        'mail.example',
        'smtp:mail.example',
        'smtp://',
        `http://u:${SECRET}@mail.example`,
        `smtp://u:${SECRET}@mail.example:99999`,
        `smtp://u:${SECRET}%@mail.example`,
        'smtp://mail.example/inbox',
        'smtps://mail.example?pool=true',
        'smtps://mail.example#x',
      ],
    ],
    [
      'MAIL_FROM',
      ['market', '<market@sandhai.example>', 'a@b@c', 'Sandhai market@sandhai.example', `x\r\nBcc: ${SECRET}@x.example`, 'x <a@b> y'],
    ],
  ]
  const cases = broken.flatMap(([name, values]) => values.map((value) => [name, value] as const))

  test('the list has more than forty wrong values', () => expect(cases.length).toBeGreaterThan(40))

  test.each(cases)('%s=%s', (name, value) => {
    const lines = mistakes({ [name]: value })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(new RegExp(`^${name} must [^\\n]+\\.$`))
    expect(lines[0]).not.toContain(SECRET)
    // The sentence is the same for every wrong value, so it cannot contain the value.
    expect(lines).toEqual(mistakes({ [name]: 'another wrong value' }))
  })

  test('several mistakes give one line each', () => {
    const lines = mistakes({ PORT: 'x', HOST: 'a b', DATABASE_URL: 'x', DB_PREPARE: 'maybe', LOG_LEVEL: '' })
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual(['DATABASE_URL', 'DB_PREPARE', 'HOST', 'PORT'])
  })
})

describe('prepared statements', () => {
  const url = 'postgres://market:pw@db.internal/market'
  const named = (variables: Record<string, string>) => readEnv({ DATABASE_URL: url, ...variables }).preparedStatements

  test('are on without a pooler and off with one, and DB_PREPARE overrides both', () => {
    expect([named({}), named({ DATABASE_DIRECT_URL: url })]).toEqual([true, false])
    expect([named({ DB_PREPARE: '0' }), named({ DATABASE_DIRECT_URL: url, DB_PREPARE: '1' })]).toEqual([false, true])
    expect(mistakes({ DATABASE_DIRECT_URL: url })).toEqual(['DATABASE_URL must be set when DATABASE_DIRECT_URL is.'])
  })
})

describe('a bucket for pictures', () => {
  const key = { PICTURES_KEY_ID: 'AK1', PICTURES_SECRET: 'a/b+c=' }

  test('accepts a URL by path or by host, together with its key', () => {
    for (const url of ['https://s3.example/pictures', 'https://pictures.s3.example', 'http://127.0.0.1:9000/pictures']) {
      expect(readEnv({ ...key, PICTURES_BUCKET: url }).bucket, url).toEqual({ url, region: 'us-east-1', keyId: 'AK1', secret: 'a/b+c=' })
    }
    expect(readEnv({}).bucket).toBeNull()
  })

  test('without its key is refused, and so is a key without a bucket', () => {
    expect(mistakes({ PICTURES_BUCKET: 'https://s3.example/pictures' })).toEqual([
      'PICTURES_KEY_ID must be set when PICTURES_BUCKET is.',
      'PICTURES_SECRET must be set when PICTURES_BUCKET is.',
    ])
    expect(mistakes({ PICTURES_SECRET: SECRET })).toEqual(['PICTURES_BUCKET must be set when PICTURES_SECRET is.'])
  })
})

describe('live mode', () => {
  test('starts with the required variables', () => {
    expect(readEnv(live)).toMatchObject({
      mode: 'live',
      databaseUrl: live.DATABASE_URL,
      publicOrigin: live.PUBLIC_ORIGIN,
      rateLimitFactors: { address: 1, user: 1, phone: 1 },
      secret: live.SESSION_SECRET,
    })
  })

  test.each(['DATABASE_URL', 'PUBLIC_ORIGIN', 'SESSION_SECRET', 'PEPPER', 'SMS_PROVIDER', 'MSG91_AUTH_KEY', 'MSG91_TEMPLATES'])(
    'refuses to start without %s',
    (name) => {
      const lines = mistakes({ ...live, [name]: '' })
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain(`${name} must be`)
    },
  )

  test.each([
    ['one repeated letter', 'x'.repeat(43)],
    ['a repeated block', 'k3T9vQz7LmX2pRw8'.repeat(3)],
    ['a sequence of digits', '12345678901234567890123456789012345'],
    ['words', 'please-change-this-before-you-go-live-2026'],
    ['one with the name of the market', 'Sandhai-k3T9vQz7LmX2pRw8YbN4cHs6JdF1gA5e'],
  ])('refuses a guessable secret: %s', (_, secret) => {
    for (const name of ['SESSION_SECRET', 'PEPPER']) {
      const [line, ...others] = mistakes({ ...live, [name]: secret })
      expect(others).toEqual([])
      expect(line).toBe(`${name} must be random. Make one with: openssl rand -base64 32`)
    }
  })

  test('accepts PEPPER_OLD or PEPPER_NEXT, not both, and only with a different secret', () => {
    const other = 'Vt0m3Qe8yHc5Zr1WkXu7Lb2NsJ9aPd4GfTiEoCwR'
    for (const name of ['PEPPER_OLD', 'PEPPER_NEXT']) {
      expect(mistakes({ ...live, [name]: other })).toEqual([])
      expect(mistakes({ ...live, [name]: live.PEPPER })).toEqual([`${name} and PEPPER must be two different secrets.`])
      expect(mistakes({ ...live, [name]: live.SESSION_SECRET })).toEqual([`${name} and SESSION_SECRET must be two different secrets.`])
      expect(mistakes({ [name]: other })).toEqual([`PEPPER must be set when ${name} is.`])
    }
    expect(mistakes({ ...live, PEPPER_OLD: other, PEPPER_NEXT: `${other}7` })).toHaveLength(1)
    expect(mistakes({ ...live, PEPPER_NEXT: 'x'.repeat(43) })).toEqual([
      'PEPPER_NEXT must be random. Make one with: openssl rand -base64 32',
    ])
  })

  test('accepts the output of secret generators, every time', () => {
    for (let n = 0; n < 2000; n++) {
      const secrets = { SESSION_SECRET: randomBytes(32).toString('base64'), PEPPER: randomBytes(16).toString('hex') }
      expect(mistakes({ ...live, ...secrets }), JSON.stringify(secrets)).toEqual([])
    }
  })

  test('refuses one secret for both variables, and secrets made by a demo', () => {
    expect(mistakes({ ...live, PEPPER: live.SESSION_SECRET })).toEqual(['SESSION_SECRET and PEPPER must be two different secrets.'])
    const dir = mkdtempSync(join(tmpdir(), 'sandhai-env-'))
    try {
      const { secret, pepper } = withSecrets(readEnv({ DATA_DIR: dir }))
      const line = 'PEPPER was made by a demo. Make one with: openssl rand -base64 32'
      expect(mistakes({ ...live, PEPPER: pepper })).toEqual([line])
      expect(mistakes({ ...live, SESSION_SECRET: secret })).toEqual([line.replace('PEPPER', 'SESSION_SECRET')])
      // A demo of an older release made secrets without the prefix.
      writeFileSync(join(dir, 'pepper'), live.PEPPER)
      expect(mistakes({ ...live, DATA_DIR: dir })).toEqual([line])
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  })

  test.each([
    ['PUBLIC_ORIGIN', 'http://sandhai.example'],
    ['RATE_LIMIT_FACTOR', '20'],
    ['RATE_LIMIT_FACTOR', '1'],
  ])('refuses %s=%s', (name, value) => {
    const lines = mistakes({ ...live, [name]: value })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(new RegExp(`^${name} `))
  })
})

test('one factor widens the limits of addresses and of people, not those of a phone', () => {
  expect(readEnv({ RATE_LIMIT_FACTOR: '7' }).rateLimitFactors).toEqual({ address: 7, user: 7, phone: 1 })
})

describe('without any variable', () => {
  test('the site is a demo on loopback with the embedded database', () => {
    expect(readEnv({})).toEqual({
      mode: 'demo',
      host: '127.0.0.1',
      port: 3000,
      operatorPort: null,
      operatorHost: '127.0.0.1',
      processes: 1,
      databaseUrl: null,
      databaseOwnerUrl: null,
      databaseDirectUrl: null,
      databaseCluster: null,
      bucket: null,
      dataDir: resolve('./data'),
      publicOrigin: 'http://localhost:3000',
      logLevel: 'info',
      rateLimitFactors: { address: 20, user: 10, phone: 10 },
      trustedProxies: 0,
      preparedStatements: true,
      samplePicturesDir: null,
      secret: '',
      pepper: '',
      pepperOld: null,
      pepperNext: null,
      authEnumeration: 'spec',
      sms: null,
      push: null,
      pushOrigins: [],
      smtpUrl: null,
      exemptPincodes: [],
      hasOfflineCopies: true,
      analyticsId: null,
      mailFrom: 'Sandhai <market@sandhai.example>',
      backupRecipients: [],
    })
  })

  test('empty and blank values count as unset, and blanks around a value are trimmed', () => {
    expect(readEnv({ PORT: '', HOST: '  ', DATABASE_URL: ' ' })).toEqual(readEnv({}))
    expect(readEnv({ PORT: ' 8080\n' })).toMatchObject({ port: 8080, publicOrigin: 'http://localhost:8080' })
  })

  test.each([
    'postgres://market@127.0.0.1:5432/market',
    'postgresql://db/market?sslmode=require',
    'postgres:///market?host=/var/run/postgresql',
  ])('%s is an accepted database URL', (url) => expect(readEnv({ DATABASE_URL: url }).databaseUrl).toBe(url))
})

describe('push messages', () => {
  const keys = { VAPID_PUBLIC_KEY: `B${'x'.repeat(86)}`, VAPID_PRIVATE_KEY: 'x'.repeat(43), VAPID_CONTACT: 'mailto:office@sandhai.example' }

  test('need both keys and a contact', () => {
    expect(readEnv(keys).push).toEqual({
      publicKey: keys.VAPID_PUBLIC_KEY,
      privateKey: keys.VAPID_PRIVATE_KEY,
      contact: 'mailto:office@sandhai.example',
    })
    expect(mistakes({ ...keys, VAPID_CONTACT: '' })).toEqual(['VAPID_CONTACT must be set when the other VAPID variables are.'])
  })

  test('may use a loopback service in a demo only', () => {
    expect(readEnv({ PUSH_ORIGINS: 'http://127.0.0.1:4000, https://push.example' }).pushOrigins).toHaveLength(2)
    expect(mistakes({ ...live, PUSH_ORIGINS: 'http://127.0.0.1:4000' })).toEqual([
      'PUSH_ORIGINS must be https origins when MARKET_MODE is live.',
    ])
    expect(mistakes({ ...live, PUSH_ORIGINS: 'https://push.example' })).toEqual([])
  })
})

describe('e-mails', () => {
  const mail = { SMTP_URL: 'smtps://market:p%40ss@mail.example:465', MAIL_FROM: 'சந்தை Sandhai <market@sandhai.example>' }

  test('use the given server and sender', () => {
    expect(readEnv({ ...live, ...mail })).toMatchObject({ smtpUrl: mail.SMTP_URL, mailFrom: mail.MAIL_FROM })
    expect(readEnv({ SMTP_URL: 'smtp://localhost:2525', MAIL_FROM: 'market@sandhai.example' }).smtpUrl).toBe('smtp://localhost:2525')
  })

  test('need a sender address', () => {
    expect(mistakes({ SMTP_URL: mail.SMTP_URL })).toEqual(['MAIL_FROM must be set when SMTP_URL is.'])
  })

  test('are always offered by a demo, and by a live site only with a server', () => {
    expect([readEnv({}), readEnv(live), readEnv({ ...live, ...mail })].map(canSendEmail)).toEqual([true, false, true])
  })
})

describe('the demo secret', () => {
  const folders: string[] = []
  const folder = () => {
    folders.push(mkdtempSync(join(tmpdir(), 'sandhai-env-')))
    return folders.at(-1)!
  }
  afterEach(() => folders.splice(0).forEach((dir) => rmSync(dir, { recursive: true, force: true })))
  const start = (dataDir: string) => withSecrets(readEnv({ DATA_DIR: dataDir })).secret

  test('is made once, kept for the next start, and readable by the owner only', () => {
    const dir = join(folder(), 'not', 'there', 'yet')
    const secret = start(dir)
    expect(secret).toMatch(/^demo-[\w-]{43}$/)
    expect(start(dir)).toBe(secret)
    expect(statSync(join(dir, 'secret')).mode & 0o077).toBe(0)
    expect(start(folder())).not.toBe(secret)
  })

  test('is not written when the variable is set', () => {
    const dir = folder()
    expect(withSecrets(readEnv({ DATA_DIR: dir, SESSION_SECRET: 'y'.repeat(40) })).secret).toBe('y'.repeat(40))
    expect(() => readFileSync(join(dir, 'secret'))).toThrow('ENOENT')
  })

  test.each([
    ['empty', ''],
    ['truncated', 'abc'],
  ])('that is %s is refused, because anybody could forge signatures with it', (_, text) => {
    const dir = folder()
    writeFileSync(join(dir, 'secret'), text)
    expect(() => start(dir)).toThrow('DATA_DIR holds a damaged file "secret"')
  })

  test('in a folder without write access gives one line without the path', () => {
    const file = join(folder(), 'file')
    writeFileSync(file, '')
    expect(() => start(file)).toThrow(new EnvError(['DATA_DIR must be a folder that we may write to (EEXIST).']))
  })
})
