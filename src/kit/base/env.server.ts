import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { isDecodable } from './paths.ts'

/**
 * The configuration, read and validated once at the start. The app runs without any variable set. Each mistake is one line that names the variable
 * and its allowed values. It never contains the value, which may be a secret.
 */
/** A bucket of any S3-compatible store. The address is the bucket's own, so path style and host style both work. */
export interface BucketAddress {
  /** `https://s3.example/sandhai-pictures` or `https://sandhai-pictures.s3.example`. */
  url: string
  region: string
  keyId: string
  secret: string
}

export interface Env {
  mode: 'demo' | 'live'
  host: string
  port: number
  /** The port for /metrics and for /readyz with reasons. Null: not served. */
  operatorPort: number | null
  /** The bind address of the operator port: loopback, unless a container network keeps strangers out. */
  operatorHost: string
  /** How many processes `npm start` starts on the port. */
  processes: number
  /** Null selects the embedded database in `dataDir`. */
  databaseUrl: string | null
  /** The role that owns the tables and migrates them (database-roles.server.ts). Null: the role of `databaseUrl`. */
  databaseOwnerUrl: string | null
  /** Bypasses the pooler of `databaseUrl` for work that needs its own session (decision 0064). Null: there is no pooler. */
  databaseDirectUrl: string | null
  /** The name of the cluster whose leader `databaseUrl` always reaches, so a promoted standby counts as the same market. Null: one server. */
  databaseCluster: string | null
  dataDir: string
  /** The bucket that stores pictures, if they are not below `dataDir` (decision 0063). */
  bucket: BucketAddress | null
  /** The public origin. Canonical links, sharing tags and origin checks use it and never the Host header. */
  publicOrigin: string
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  /** Multipliers for limits of api.md: per address, per person, and of codes by SMS. */
  rateLimitFactors: { address: number; user: number; phone?: number }
  /** The number of reverse proxies in front of the site that append to X-Forwarded-For. 0: ignore the header. */
  trustedProxies: number
  /** False behind a pooler that shares connections per transaction (pgbouncer < 1.21), because named statements fail there. */
  preparedStatements: boolean
  /** False: phones get a worker that removes itself and all offline copies (content/offline/retired-worker.server.ts). */
  hasOfflineCopies: boolean
  /** The cache folder for finished pictures of the sample market, reused by the next empty market. Null: no cache. */
  samplePicturesDir: string | null
  /** The key that signs CSRF tokens and blinds viewer keys. */
  secret: string
  /** The key that seals and blinds data in the database (vault.server.ts). Operators must keep it as long as any backup. */
  pepper: string
  /** The previous PEPPER. At its first start, the new PEPPER takes over from it. Null: no change in progress. */
  pepperOld: string | null
  /** The next PEPPER. This process can already open data sealed with it. */
  pepperNext: string | null
  /** `spec`: the login says when a number is unknown, within a budget. `uniform`: it never does. */
  authEnumeration: 'spec' | 'uniform'
  /** PIN codes outside Tamil Nadu to which we deliver anyway; empty by default. */
  exemptPincodes: string[]
  /**
   * The Google Analytics id. Visitors must consent first (content/site-frame/analytics.tsx). Null: pages neither load
   * nor allow any of it.
   */
  analyticsId: string | null
  /** The SMS provider. Null: a demo shows messages on /dev/outbox. */
  sms: SmsConfiguration | null
  /** The VAPID identity for push services. Null: a demo derives one from PEPPER; a live site sends no push messages. */
  push: PushConfiguration | null
  /** Origins of push services besides the known ones (accounts/notifications/push-hosts.server.ts). */
  pushOrigins: string[]
  /** The SMTP server for e-mails, with its password. Null: a demo shows e-mails on /dev/outbox; a live site sends none. */
  smtpUrl: string | null
  mailFrom: string
  /** The age recipients of backups. The key that opens backups is never here. */
  backupRecipients: string[]
}

export interface SmsConfiguration {
  provider: 'msg91'
  baseUrl: string
  authKey: string
  /** The provider's id of each registered template, by our template name and language: `otp-register.ta`. */
  templates: Record<string, string>
}

/** VAPID (RFC 8292): a key pair, and an address at which push services reach the operator. */
export interface PushConfiguration {
  publicKey: string
  privateKey: string
  contact: string
}

/** False: the site offers nothing that needs an e-mail. */
export const canSendEmail = (env: Env) => env.mode === 'demo' || env.smtpUrl !== null

export class EnvError extends Error {
  readonly lines: string[]
  constructor(lines: string[]) {
    super(lines.join('\n'))
    this.lines = lines
  }
}

const MIN_SECRET_LENGTH = 32
const origin = z.string().refine((text) => URL.canParse(text) && new URL(text).origin === text)
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((n) => n >= min && n <= max)

const databaseAddress = z
  .string()
  .regex(/^postgres(ql)?:\/\//)
  .refine((text) => URL.canParse(text) && (new URL(text).hostname !== '' || new URL(text).searchParams.has('host')))

const listeningHost = z
  .string()
  .regex(/^[\w.:-]+$/)
  .default('127.0.0.1')

const schema = z.object({
  MARKET_MODE: z.enum(['demo', 'live']).default('demo'),
  HOST: listeningHost,
  PORT: wholeNumber(0, 65535).default(3000),
  OPERATOR_PORT: wholeNumber(1, 65535).optional(),
  OPERATOR_HOST: listeningHost,
  CLUSTER: wholeNumber(1, 64).default(1),
  DATABASE_URL: databaseAddress.optional(),
  DATABASE_OWNER_URL: databaseAddress.optional(),
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  DATABASE_CLUSTER: z
    .string()
    .regex(/^[\w-]{1,40}$/)
    .optional(),
  DATA_DIR: z.string().min(1).default('./data'),
  PICTURES_BUCKET: z.string().refine(isBucketAddress).optional(),
  PICTURES_REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .default('us-east-1'),
  PICTURES_KEY_ID: z
    .string()
    .regex(/^[\x21-\x7e]{1,128}$/)
    .optional(),
  PICTURES_SECRET: z
    .string()
    .regex(/^[\x21-\x7e]{1,256}$/)
    .optional(),
  PUBLIC_ORIGIN: origin.refine((text) => /^https?:/.test(text)).optional(),
  LOG_LEVEL: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  RATE_LIMIT_FACTOR: wholeNumber(1, 1000).optional(),
  TRUSTED_PROXIES: wholeNumber(0, 5).default(0),
  DB_PREPARE: z.enum(['0', '1']).optional(),
  OFFLINE_COPIES: z.enum(['0', '1']).default('1'),
  SAMPLE_PICTURES_DIR: z.string().min(1).optional(),
  SESSION_SECRET: z.string().min(MIN_SECRET_LENGTH).optional(),
  PEPPER: z.string().min(MIN_SECRET_LENGTH).optional(),
  PEPPER_OLD: z.string().min(MIN_SECRET_LENGTH).optional(),
  PEPPER_NEXT: z.string().min(MIN_SECRET_LENGTH).optional(),
  AUTH_ENUMERATION: z.enum(['spec', 'uniform']).default('spec'),
  PINCODE_EXEMPT: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((pins) => pins.every((pin) => /^[1-9]\d{5}$/.test(pin)))
    .optional(),
  ANALYTICS_ID: z
    .string()
    .regex(/^G-[A-Z\d]{4,20}$/)
    .optional(),
  SMS_PROVIDER: z.enum(['msg91']).optional(),
  MSG91_AUTH_KEY: z
    .string()
    .regex(/^[\w-]{10,100}$/)
    .optional(),
  MSG91_TEMPLATES: z
    .string()
    .transform((text) => Object.fromEntries(text.split(',').map((part) => part.trim().split('='))) as Record<string, string>)
    .refine((templates) => Object.entries(templates).every(([name, id]) => /^[a-z-]+\.(ta|en)$/.test(name) && /^\w{6,64}$/.test(id ?? '')))
    .optional(),
  MSG91_BASE_URL: origin.refine(isSafeOrigin).default('https://control.msg91.com'),
  VAPID_PUBLIC_KEY: z
    .string()
    .regex(/^B[\w-]{86}$/)
    .optional(),
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/)
    .optional(),
  VAPID_CONTACT: z
    .string()
    .max(320)
    .regex(/^(mailto:[\w.+-]+@[a-z\d.-]+|https:\/\/[a-z\d.-]+(\/\S*)?)$/i)
    .optional(),
  PUSH_ORIGINS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((origins) => origins.every((text) => URL.canParse(text) && new URL(text).origin === text && isSafeOrigin(text)))
    .optional(),
  SMTP_URL: z.string().refine(isSmtpUrl).optional(),
  MAIL_FROM: z
    .string()
    .max(320)
    .regex(/^([^<>@"\p{Cc}]+ <[\w.+-]+@[a-z\d.-]+>|[\w.+-]+@[a-z\d.-]+)$/iu)
    .optional(),
  BACKUP_RECIPIENT: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine((recipients) => recipients.every((recipient) => /^age1[a-z0-9]{20,4000}$/.test(recipient)))
    .optional(),
})

/** Our provider's key goes to this origin, so it must be https or loopback. */
function isSafeOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname))
}

/** The bucket is either in the path or in the host with an empty path. */
function isBucketAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { origin, pathname, href, search, hash, username, password } = new URL(text)
  return (
    isSafeOrigin(origin) &&
    /^\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9]\/?)?$/.test(pathname) &&
    [search, hash, username, password].every((part) => part === '') &&
    href.startsWith(origin)
  )
}

function isSmtpUrl(text: string): boolean {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return false
  const { hostname, pathname, search, hash, username, password } = new URL(text)
  return (
    hostname !== '' &&
    pathname.length <= 1 &&
    search === '' &&
    hash === '' &&
    [username, password].every((part) => part === '' || isDecodable(part))
  )
}

const expected: Record<keyof z.infer<typeof schema>, string> = {
  MARKET_MODE: 'must be demo or live',
  HOST: 'must be a host name or address to listen on',
  PORT: 'must be a whole number from 0 to 65535',
  OPERATOR_PORT: 'must be a whole number from 1 to 65535',
  OPERATOR_HOST: 'must be a host name or address to listen on',
  CLUSTER: 'must be a whole number from 1 to 64',
  DATABASE_URL: 'must look like postgres://user:password@host:5432/name',
  DATABASE_OWNER_URL: 'must look like postgres://owner:password@host:5432/name',
  DATABASE_DIRECT_URL: 'must look like postgres://user:password@host:5432/name',
  DATABASE_CLUSTER: 'must be a name of letters, digits, _ and -',
  DATA_DIR: 'must be a folder',
  PICTURES_BUCKET: 'must look like https://s3.example/bucket or https://bucket.s3.example (http on this machine only)',
  PICTURES_REGION: 'must be the region that the store names, such as ap-south-1',
  PICTURES_KEY_ID: 'must be the id of an access key',
  PICTURES_SECRET: 'must be the secret of the access key',
  PUBLIC_ORIGIN: 'must be an origin such as https://sandhai.example, without a path',
  LOG_LEVEL: 'must be silent, error, warn, info or debug',
  RATE_LIMIT_FACTOR: 'must be a whole number from 1 to 1000',
  TRUSTED_PROXIES: 'must be a whole number from 0 to 5',
  DB_PREPARE: 'must be 0 or 1',
  OFFLINE_COPIES: 'must be 0 or 1',
  SAMPLE_PICTURES_DIR: 'must name a folder',
  SESSION_SECRET: 'must have at least 32 characters',
  PEPPER: 'must have at least 32 characters',
  PEPPER_OLD: 'must have at least 32 characters',
  PEPPER_NEXT: 'must have at least 32 characters',
  AUTH_ENUMERATION: 'must be spec or uniform',
  ANALYTICS_ID: 'must be a measurement id of Google Analytics, such as G-ABC1234567',
  PINCODE_EXEMPT: 'must be PIN codes of six digits, separated by commas',
  SMS_PROVIDER: 'must be msg91',
  MSG91_AUTH_KEY: 'must be the key that MSG91 shows in its panel',
  MSG91_TEMPLATES: 'must look like otp-register.ta=6512ab…,otp-register.en=6512cd…, one id for each template and language',
  MSG91_BASE_URL: 'must be an https origin without a path',
  VAPID_PUBLIC_KEY: 'must be what npm run admin -- push-keys printed',
  VAPID_PRIVATE_KEY: 'must be what npm run admin -- push-keys printed',
  VAPID_CONTACT: 'must be mailto:somebody@sandhai.example or an https page',
  PUSH_ORIGINS: 'must be https origins without a path, separated by commas',
  SMTP_URL: 'must look like smtp://user:password@host:587 or smtps://user:password@host:465, special characters as %40',
  BACKUP_RECIPIENT: 'must be what npm run backup -- --new-key printed (age1…), several separated by commas',
  MAIL_FROM: 'must be an address such as market@sandhai.example or Sandhai <market@sandhai.example>',
}

/** Throws `EnvError` with one line per mistake. Reads only `variables`; `loadSecret` reads the disk later. */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const given = Object.fromEntries(
    Object.keys(schema.shape)
      .map((name) => [name, variables[name]?.trim()] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = schema.safeParse(given)
  if (!parsed.success) {
    const names = new Set(parsed.error.issues.map((issue) => String(issue.path[0]) as keyof typeof expected))
    throw new EnvError([...names].map((name) => `${name} ${expected[name]}.`))
  }
  const mistakes = mistakesTogether(parsed.data)
  if (mistakes.length > 0) throw new EnvError(mistakes)
  return toEnv(parsed.data)
}

type Values = z.output<typeof schema>

/** The mistakes in combinations of variables. */
function mistakesTogether(value: Values): string[] {
  const mistakes: string[] = []
  if (value.MARKET_MODE === 'live') {
    if (!value.DATABASE_URL) mistakes.push('DATABASE_URL must be set when MARKET_MODE is live.')
    if (!value.PUBLIC_ORIGIN?.startsWith('https://')) mistakes.push('PUBLIC_ORIGIN must be an https origin when MARKET_MODE is live.')
    if (!value.SESSION_SECRET) mistakes.push('SESSION_SECRET must be set when MARKET_MODE is live.')
    if (!value.PEPPER) mistakes.push('PEPPER must be set when MARKET_MODE is live.')
    for (const name of ['SESSION_SECRET', 'PEPPER', 'PEPPER_NEXT'] as const) {
      const fault = value[name] && faultOfSecret(value[name], resolve(value.DATA_DIR))
      if (fault) mistakes.push(`${name} ${fault}. Make one with: openssl rand -base64 32`)
    }
    if (value.SESSION_SECRET && value.SESSION_SECRET === value.PEPPER)
      mistakes.push('SESSION_SECRET and PEPPER must be two different secrets.')
    if (!value.SMS_PROVIDER) mistakes.push('SMS_PROVIDER must be set when MARKET_MODE is live.')
    if (value.RATE_LIMIT_FACTOR !== undefined)
      mistakes.push('RATE_LIMIT_FACTOR is for trying things out; it must not be set when MARKET_MODE is live.')
  }
  mistakes.push(...mistakesOfPeppers(value))
  for (const name of ['DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL', 'DATABASE_CLUSTER'] as const)
    if (value[name] && !value.DATABASE_URL) mistakes.push(`DATABASE_URL must be set when ${name} is.`)
  if (value.CLUSTER > 1 && !value.DATABASE_URL)
    mistakes.push('DATABASE_URL must be set when CLUSTER is more than 1: one process alone has the embedded database.')
  for (const name of ['PICTURES_KEY_ID', 'PICTURES_SECRET'] as const) {
    if (value.PICTURES_BUCKET && !value[name]) mistakes.push(`${name} must be set when PICTURES_BUCKET is.`)
    if (!value.PICTURES_BUCKET && value[name]) mistakes.push(`PICTURES_BUCKET must be set when ${name} is.`)
  }
  const vapid = ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY', 'VAPID_CONTACT'] as const
  for (const name of vapid)
    if (!value[name] && vapid.some((other) => value[other])) mistakes.push(`${name} must be set when the other VAPID variables are.`)
  if (value.MARKET_MODE === 'live' && value.PUSH_ORIGINS?.some((text) => !text.startsWith('https:')))
    mistakes.push('PUSH_ORIGINS must be https origins when MARKET_MODE is live.')
  if (value.SMTP_URL && !value.MAIL_FROM) mistakes.push('MAIL_FROM must be set when SMTP_URL is.')
  if (value.SMS_PROVIDER && !value.MSG91_AUTH_KEY) mistakes.push('MSG91_AUTH_KEY must be set when SMS_PROVIDER is msg91.')
  if (value.SMS_PROVIDER && !value.MSG91_TEMPLATES) mistakes.push('MSG91_TEMPLATES must be set when SMS_PROVIDER is msg91.')
  return mistakes
}

function mistakesOfPeppers({ PEPPER, PEPPER_OLD, PEPPER_NEXT, SESSION_SECRET }: Values): string[] {
  const mistakes: string[] = []
  if (PEPPER_OLD && PEPPER_NEXT)
    mistakes.push('PEPPER_OLD and PEPPER_NEXT are two ways to change PEPPER: set one of them (docs/operate.md).')
  for (const [name, other] of Object.entries({ PEPPER_OLD, PEPPER_NEXT })) {
    if (other && !PEPPER) mistakes.push(`PEPPER must be set when ${name} is.`)
    if (other && other === PEPPER) mistakes.push(`${name} and PEPPER must be two different secrets.`)
    if (other && other === SESSION_SECRET) mistakes.push(`${name} and SESSION_SECRET must be two different secrets.`)
  }
  return mistakes
}

function toEnv(value: Values): Env {
  return {
    mode: value.MARKET_MODE,
    host: value.HOST,
    port: value.PORT,
    operatorPort: value.OPERATOR_PORT ?? null,
    operatorHost: value.OPERATOR_HOST,
    processes: value.CLUSTER,
    databaseUrl: value.DATABASE_URL ?? null,
    databaseOwnerUrl: value.DATABASE_OWNER_URL ?? null,
    databaseDirectUrl: value.DATABASE_DIRECT_URL ?? null,
    databaseCluster: value.DATABASE_CLUSTER ?? null,
    dataDir: resolve(value.DATA_DIR),
    bucket: bucketOf(value),
    publicOrigin: value.PUBLIC_ORIGIN ?? `http://localhost:${value.PORT}`,
    logLevel: value.LOG_LEVEL,
    rateLimitFactors: {
      address: value.RATE_LIMIT_FACTOR ?? (value.MARKET_MODE === 'demo' ? 20 : 1),
      user: value.RATE_LIMIT_FACTOR ?? (value.MARKET_MODE === 'demo' ? 10 : 1),
      phone: value.RATE_LIMIT_FACTOR === undefined && value.MARKET_MODE === 'demo' ? 10 : 1,
    },
    trustedProxies: value.TRUSTED_PROXIES,
    preparedStatements: value.DB_PREPARE === undefined ? value.DATABASE_DIRECT_URL === undefined : value.DB_PREPARE === '1',
    hasOfflineCopies: value.OFFLINE_COPIES === '1',
    samplePicturesDir: value.SAMPLE_PICTURES_DIR === undefined ? null : resolve(value.SAMPLE_PICTURES_DIR),
    secret: value.SESSION_SECRET ?? '',
    pepper: value.PEPPER ?? '',
    pepperOld: value.PEPPER_OLD ?? null,
    pepperNext: value.PEPPER_NEXT ?? null,
    authEnumeration: value.AUTH_ENUMERATION,
    exemptPincodes: value.PINCODE_EXEMPT ?? [],
    analyticsId: value.ANALYTICS_ID ?? null,
    sms: value.SMS_PROVIDER
      ? {
          provider: value.SMS_PROVIDER,
          baseUrl: value.MSG91_BASE_URL,
          authKey: value.MSG91_AUTH_KEY!,
          templates: value.MSG91_TEMPLATES!,
        }
      : null,
    push: pushOf(value),
    pushOrigins: value.PUSH_ORIGINS ?? [],
    smtpUrl: value.SMTP_URL ?? null,
    mailFrom: value.MAIL_FROM ?? 'Sandhai <market@sandhai.example>',
    backupRecipients: value.BACKUP_RECIPIENT ?? [],
  }
}

function bucketOf({ PICTURES_BUCKET: url, PICTURES_REGION: region, PICTURES_KEY_ID: keyId, PICTURES_SECRET: secret }: Values) {
  return url && keyId && secret ? { url, region, keyId, secret } : null
}

function pushOf({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, VAPID_CONTACT: contact }: Values): PushConfiguration | null {
  return publicKey && privateKey && contact ? { publicKey, privateKey, contact } : null
}

/** In demo mode, the site creates the secrets once and stores them in DATA_DIR, so a restart keeps all sessions. */
export function withSecrets(env: Env): Env {
  return {
    ...env,
    secret: env.secret || storedSecret(env.dataDir, DEMO_SECRET_FILES[0]),
    pepper: env.pepper || storedSecret(env.dataDir, DEMO_SECRET_FILES[1]),
  }
}

/** Shannon entropy over the characters. 32 random hexadecimal digits have about 117 bits, and in 400,000 samples never less than 87. */
const MIN_ENTROPY_BITS = 72
/** No random text repeats eight characters, but a text that somebody typed or pasted twice does. */
const REPEATED = /(.{8}).*\1/s
const WORDS = /secret|password|pepper|change|sandhai|session|example/i
const DEMO_SECRET = 'demo-'
const DEMO_SECRET_FILES = ['secret', 'pepper'] as const

/** Returns why a live market cannot rely on this secret, or null when it can. */
function faultOfSecret(secret: string, dataDir: string): string | null {
  if (secret.startsWith(DEMO_SECRET) || DEMO_SECRET_FILES.some((name) => readDemoSecret(dataDir, name) === secret)) {
    return 'was made by a demo'
  }
  const isGuessable = entropyBits(secret) < MIN_ENTROPY_BITS || REPEATED.test(secret) || WORDS.test(secret)
  return isGuessable ? 'must be random' : null
}

function entropyBits(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((bits, count) => bits - count * Math.log2(count / text.length), 0)
}

function readDemoSecret(dataDir: string, name: string): string | null {
  const file = join(dataDir, name)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

function storedSecret(dataDir: string, name: string): string {
  const file = join(dataDir, name)
  try {
    mkdirSync(dataDir, { recursive: true })
    if (!existsSync(file)) makeSecret(file)
    const secret = readFileSync(file, 'utf8').trim()
    if (secret.length >= MIN_SECRET_LENGTH) return secret
  } catch (error) {
    throw new EnvError([`DATA_DIR must be a folder that we may write to (${(error as NodeJS.ErrnoException).code}).`])
  }
  throw new EnvError([`DATA_DIR holds a damaged file "${name}"; without it, sessions and sealed values of this demo are lost.`])
}

/** Writes atomically: a killed process must not leave an empty secret, and a second process must not read half of one. */
function makeSecret(file: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, DEMO_SECRET + randomBytes(32).toString('base64url'), { mode: 0o600 })
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
}
