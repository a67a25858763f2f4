import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { makeSession, makeUser } from '#src/accounts/makers.server.ts'
import { makeCsrfToken } from '#src/kit/http/csrf.server.ts'
import { testCtx } from '#tools/test-kit/test-ctx.ts'
import type { Database } from '#src/kit/db/database.server.ts'
import { prepare, startPreparedPostgres, withDatabase, withEmbedded } from '#tools/test-kit/prepared.ts'
import { cleanUp, startSite, tempFolder, type SiteProcess } from '#tools/test-kit/site-process.ts'
import { fillMarket } from './crowd.ts'
import type { Section } from './result.ts'

const PEOPLE = 4
/** Each person uploads the photos of this many listings, one after another. */
const ROUNDS = 6
const PHOTOS = 3
const SECRET = 'bench-secret-'.repeat(4)
const MIB = 1024 * 1024

/** The cgroup folder for memory limits: version 1 has a separate tree, version 2 a single one. */
const VERSION_1 = '/sys/fs/cgroup/memory'
const isVersion1 = existsSync(join(VERSION_1, 'memory.limit_in_bytes'))
const root = isVersion1 ? VERSION_1 : '/sys/fs/cgroup'
const files = isVersion1
  ? { limit: 'memory.limit_in_bytes', peak: 'memory.max_usage_in_bytes' }
  : { limit: 'memory.max', peak: 'memory.peak' }

interface Setup {
  database: 'PostgreSQL' | 'embedded'
  limitMib: number
}

/** The memory of a site that serves pages during phone photo uploads (docs/growth.md). */
export async function memoryUnderUploads(): Promise<Section[]> {
  return [await inGroup({ database: 'PostgreSQL', limitMib: 512 }), await inGroup({ database: 'embedded', limitMib: 1024 })]
}

async function inGroup(setup: Setup): Promise<Section> {
  const group = join(root, `sandhai-${process.pid}-${setup.database}`)
  try {
    mkdirSync(group)
    writeFileSync(join(group, files.limit), String(setup.limitMib * MIB))
  } catch (error) {
    return section(setup, 'the kernel limits no memory for this user', 0, `not tried: ${String(error)}`)
  }
  const postgres = setup.database === 'PostgreSQL' ? await startPreparedPostgres() : null
  try {
    return await measure(setup, group, postgres?.url)
  } finally {
    await cleanUp()
    await postgres?.stop()
    await sleep(500)
    try {
      rmdirSync(group)
    } catch {
      console.warn(`${group} could not be removed`)
    }
  }
}

async function measure(setup: Setup, group: string, databaseUrl: string | undefined): Promise<Section> {
  const dataDir = tempFolder()
  const fill = async ({ db }: Database) => {
    const ctx = testCtx(db, { locale: 'ta', publicOrigin: 'http://localhost' })
    await fillMarket(ctx, 1000)
    return Promise.all(Array.from({ length: PEOPLE * ROUNDS }, async () => makeSession(ctx, (await makeUser(ctx, { typeId: 2 })).id)))
  }
  /**
   * Fills the embedded database between two runs: the site must first mark the picture folder, and only one process at a time can open this database.
   */
  const fillEmbedded = async () => {
    await withEmbedded(dataDir, prepare)
    const first = await startSite({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
    first.signal('SIGTERM')
    await first.ended
    return withEmbedded(dataDir, fill)
  }
  const early = databaseUrl ? null : await fillEmbedded()
  const site = await startInside(group, { DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) })
  const sessions = early ?? (await withDatabase(databaseUrl!, fill))
  let ending: unknown
  void site.ended.then((how) => (ending = how))
  let pages = 0
  const visits = new AbortController()
  const browsing = (async () => {
    for (let n = 0; !visits.signal.aborted && !ending; n += 1) {
      pages += (await fetch(`${site.origin}/buy/1?cursor=${n}`).catch(() => null))?.ok ? 1 : 0
      await sleep(200)
    }
  })()
  const photos = await phonePhotos()
  const people = Array.from({ length: PEOPLE }, (_, person) => sessions.slice(person * ROUNDS, (person + 1) * ROUNDS))
  const stored = await Promise.all(people.map((own) => uploadAll(site.origin, own, photos)))
  visits.abort()
  await browsing
  const peak = Math.round(Number(readFileSync(join(group, files.peak), 'utf8')) / MIB)
  const total = PEOPLE * ROUNDS * PHOTOS
  const sum = stored.reduce((all, each) => all + each, 0)
  const note = `${sum} of ${total}, ${pages} pages in parallel; the group used at most ${peak} MiB, page cache included`
  return section(
    setup,
    'photos stored of those sent',
    ending ? 0 : sum / total,
    ending ? `${note}; THE SITE ENDED: ${JSON.stringify(ending)}` : note,
  )
}

/** Processes started from here on are inside the limited group; the load generators stay outside. */
async function startInside(group: string, variables: Record<string, string>): Promise<SiteProcess> {
  const enter = (folder: string) => writeFileSync(join(folder, 'cgroup.procs'), String(process.pid))
  const previousGroup = ownGroup()
  enter(group)
  const starting = startSite({ LOG_LEVEL: 'silent', SESSION_SECRET: SECRET, RATE_LIMIT_FACTOR: '1000', ...variables })
  enter(previousGroup)
  return starting
}

const section = ({ database, limitMib }: Setup, name: string, value: number, note: string): Section => ({
  title: `Memory: ${limitMib} MiB, ${database === 'PostgreSQL' ? 'PostgreSQL outside' : 'with the embedded database'}`,
  explains: `${PEOPLE} people upload photos of 12 megapixels at the same time, ${ROUNDS} times ${PHOTOS} each, to a site in a control group with a limit of ${limitMib} MiB, while a visitor opens uncached lists.`,
  figures: [{ name, value, unit: '×', atLeast: 1, note }],
})

function ownGroup(): string {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').split('\n')
  const path = lines.map((line) => line.split(':')).find(([, kinds]) => (isVersion1 ? kinds === 'memory' : kinds === ''))?.[2] ?? '/'
  // In a container, the tree is mounted at the group itself.
  return existsSync(join(root, path)) ? join(root, path) : root
}

/** 4000 × 3000 with the noise of a small sensor; one is progressive, as some phones and messengers write them. */
async function phonePhotos(): Promise<Buffer[]> {
  return Promise.all(
    Array.from({ length: PHOTOS }, async (_, n) => {
      const noise = { type: 'gaussian' as const, mean: 120 + n * 20, sigma: 30 }
      const image = sharp({ create: { width: 4000, height: 3000, channels: 3, background: '#888', noise } })
      return image
        .blur(1.5)
        .jpeg({ quality: 92, progressive: n === 1 })
        .toBuffer()
    }),
  )
}

async function uploadAll(origin: string, sessions: string[], photos: Buffer[]): Promise<number> {
  let stored = 0
  for (const session of sessions) for (const photo of photos) stored += await upload(origin, session, photo)
  return stored
}

async function upload(origin: string, session: string, photo: Buffer): Promise<number> {
  const form = new FormData()
  form.set('image', new File([new Uint8Array(photo)], 'cow.jpg', { type: 'image/jpeg' }))
  const csrf = makeCsrfToken(SECRET, session)
  const headers = { cookie: `__Host-sid=${session}; __Host-csrf=${csrf}`, 'X-CSRFToken': csrf }
  for (;;) {
    const response = await fetch(`${origin}/api/v1/listing-draft/photo`, { method: 'POST', headers, body: form }).catch(() => null)
    if (response?.status !== 503) return response?.ok ? 1 : 0
    await sleep(1000)
  }
}
