import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { packRelease } from '../../scripts/release.ts'
import { makeClip } from '#tools/test-kit/make-clip.ts'
import { cleanUp, startSite, tempFolder } from '#tools/test-kit/site-process.ts'

/** The disk of a small server, and the transfer time over a connection of 10 MB a second. */
const MOST_BYTES = 300e6

type CheckClip = typeof import('#src/kit/media/clips/check-clip.server.ts')

let release: string
beforeAll(() => {
  release = tempFolder()
  packRelease(release)
})
afterAll(cleanUp)

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => statSync(path).isFile())

/** The packages that a file imports, by any syntax, and that `release` lacks. */
function missingIn(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/\/\*.*?\*\//gs, '')
  const imported = [
    ...text.matchAll(/(?:^import\s|^export .*from\s|\bfrom\s|\bimport\()\s*["']((?:@[\w-]+\/)?[a-z][\w.-]*)(?:\/[\w./-]+)?["']/gm),
  ]
  const read = [...text.matchAll(/["']node_modules\/((?:@[\w-]+\/)?[\w.-]+)/g)]
  return [...imported, ...read].map(([, name]) => name!).filter((name) => !existsSync(join(release, 'node_modules', name)))
}

/** The path of a system program. */
const toolAt = (name: string) => ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find((path) => existsSync(path))!

describe('a release', () => {
  test('has each package that the built server imports or reads, and no build tools', () => {
    const built = filesBelow(join(release, 'build/server')).filter((path) => path.endsWith('.js'))
    const isPackage = (name: string) => existsSync(join(import.meta.dirname, '../../node_modules', name))
    const missing = built.flatMap(missingIn).filter(isPackage)
    expect(missing).toEqual([])
    for (const tool of ['vite', 'typescript', 'tailwindcss', '@react-router/dev', 'vitest'])
      expect(existsSync(join(release, 'node_modules', tool)), tool).toBe(false)
  })

  test('is small', () => {
    const bytes = filesBelow(release).reduce((sum, path) => sum + statSync(path).size, 0)
    console.log(`a release has ${Math.round(bytes / 1e6)} MB`)
    expect(bytes).toBeLessThan(MOST_BYTES)
  })

  test("runs in an empty folder, with pages, share pictures with text and the API's documents", async () => {
    const site = await startSite({ DATA_DIR: tempFolder(inject('preparedDataDir')), LOG_LEVEL: 'warn' }, { folder: release })
    for (const path of ['/', '/en/buy/1', '/share/list-1-ta.jpg', '/api/docs/', '/api/v1/openapi.json', '/sw.js'])
      expect((await fetch(site.origin + path)).status, path).toBe(200)
    site.signal('SIGTERM')
    expect(await site.ended).toMatchObject({ code: 0, err: [] })
  })

  test('checks clips', async () => {
    const { checkClip } = (await import(join(release, 'src/kit/media/clips/check-clip.server.ts'))) as CheckClip
    expect((await checkClip(await makeClip(), 'video')).bytes.length).toBeGreaterThan(0)
  })

  describe("has its operator's commands, on a machine without npm or Node", () => {
    /** Programs that every Debian has and that the command calls. */
    const path = tempFolder()
    for (const tool of ['sh', 'id', 'readlink', 'dirname', 'setpriv']) symlinkSync(toolAt(tool), join(path, tool))
    const sandhai = (args: string[], variables: Record<string, string> = {}) => {
      const { status, stdout, stderr } = spawnSync(join(release, 'bin/sandhai'), args, {
        encoding: 'utf8',
        env: { PATH: path, ...variables },
      })
      return { code: status, out: stdout, err: stderr }
    }
    /** An environment file as in the guide. */
    function envFile(lines: string[]) {
      const file = join(tempFolder(), 'env')
      writeFileSync(file, `# of the test\n${lines.join('\n')}\n`)
      return { SANDHAI_ENV: file }
    }

    test('exactly those that the guide names', () => {
      const guide = readFileSync(join(release, 'docs/operate.md'), 'utf8')
      const named = new Set([...guide.matchAll(/^ *sandhai ([a-z-]+)|`sandhai ([a-z-]+)/gm)].map(([, line, inText]) => line ?? inText!))
      expect(named.size).toBeGreaterThan(8)
      const known = sandhai([]).err.split(': ').at(-1)!.trim().split(' ')
      expect([...named].filter((command) => !known.includes(command))).toEqual([])
      for (const command of known.filter((one) => one !== 'start'))
        expect(existsSync(join(release, 'scripts', `${command}.ts`)), command).toBe(true)
      // The guide's npm commands are for a clone.
      expect(guide).not.toMatch(/npm run (admin|audit|backup -- --to|doctor|restore|pictures|move-media)/)
      for (const wrong of [['dance'], ['doctor restore'], ['*']]) expect(sandhai(wrong)).toMatchObject({ code: 1, out: '' })
    })

    test('with the variables of its file: a key, a backup, the doctor, the switch, all SMS for DLT', () => {
      const [dataDir, backups] = [tempFolder(inject('preparedDataDir')), tempFolder()]
      const key = join(tempFolder(), 'key')
      const file = ['PUBLIC_ORIGIN=https://sandhai.example', `DATA_DIR="${dataDir}"`, 'MAIL_FROM=Sandhai <market@sandhai.example>']
      const made = sandhai(['backup', '--new-key', key], envFile(file))
      expect(made, made.err).toMatchObject({ code: 0 })
      expect(sandhai(['doctor'], envFile(file)).code).toBe(0)
      const whole = envFile([...file, /^BACKUP_RECIPIENT=.*$/m.exec(made.out)![0]])
      expect(sandhai(['backup', '--', '--to', backups], whole)).toMatchObject({ code: 0, out: expect.stringContaining('rows') })
      expect(sandhai(['doctor'], whole)).toMatchObject({ code: 0, out: expect.stringContaining('https://sandhai.example') })
      expect(sandhai(['admin', 'maintenance', 'on'], whole).code).toBe(0)
      expect(sandhai(['doctor'], whole)).toMatchObject({ code: 1, out: expect.stringContaining('maintenance is on') })
      // Variables that are already set stay.
      expect(sandhai(['doctor'], { ...whole, PUBLIC_ORIGIN: 'https://other.example' }).out).toContain('https://other.example')
      const { out } = sandhai(['sms-templates', '--header', 'SNDHAI'], whole)
      expect(out).toContain('"otp-login.ta","Service Implicit","SNDHAI","Tamil","Unicode"')
      expect(out).toContain('@sandhai.example #{#var#}')
      expect(sandhai(['restore', '--from', backups, '--key', key], envFile([`DATA_DIR=${dataDir}`])).code).toBe(1)
      const empty = join(tempFolder(), 'empty')
      const pepper = `PEPPER=${readFileSync(join(dataDir, 'pepper'), 'utf8').trim()}`
      const restored = sandhai(['restore', '--from', backups, '--key', key], envFile([`DATA_DIR=${empty}`, pepper]))
      expect(restored, restored.err).toMatchObject({ code: 0, out: expect.stringContaining('each as it was') })
    })

    test('with an error when the named file does not exist', () => {
      expect(sandhai(['doctor'], { SANDHAI_ENV: '/nowhere/env' })).toMatchObject({ code: 1, err: '/nowhere/env is not there.\n' })
    })
  })
})
