import { once } from 'node:events'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

export interface Letter {
  from: string
  to: string[]
  /** The raw message: headers, an empty line, the body. */
  raw: string
}

/** The server's next answers, in order, instead of acceptance. */
type Mood = { at: 'auth' | 'from' | 'to' | 'data'; code: number } | 'kind'

export interface FakeSmtp {
  /** With user and password, for SMTP_URL. */
  url: string
  letters: Letter[]
  moods: Mood[]
  visits: number
  close(): Promise<void>
}

export const USER = 'market@sandhai.test'
export const PASSWORD = 'p@ss/wörd:1'
const LOCAL_DOMAIN = /@(sandhai\.test|sandhai\.example)$/

/**
 * A real mail server on this machine that stores its messages. Like a provider, it requires a login, a sender of its own domain and existing
 * recipients (nobody@… does not exist).
 */
export async function startFakeSmtp(): Promise<FakeSmtp> {
  const letters: Letter[] = []
  const moods: Mood[] = []
  const refusal = (code: number, says = 'not today') => Object.assign(new Error(says), { responseCode: code })
  const moodAt = (at: Exclude<Mood, 'kind'>['at']) => {
    const mood = moods[0]
    if (mood === undefined || mood === 'kind' || mood.at !== at) return null
    moods.shift()
    return refusal(mood.code)
  }
  const fake: FakeSmtp = { url: '', letters, moods, visits: 0, close: () => new Promise((resolve) => server.close(resolve)) }
  const server = new SMTPServer({
    // Plain-text passwords are safe here: the traffic never leaves the machine.
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onConnect(_, done) {
      fake.visits += 1
      done()
    },
    onAuth({ username, password }, _, done) {
      const isRight = username === USER && password === PASSWORD
      done(moodAt('auth') ?? (isRight ? null : refusal(535, 'wrong password')), { user: username })
    },
    onMailFrom({ address }, _, done) {
      done(moodAt('from') ?? (LOCAL_DOMAIN.test(address) ? null : refusal(553, 'not your address')))
    },
    onRcptTo({ address }, _, done) {
      done(moodAt('to') ?? (address.startsWith('nobody@') ? refusal(550, `no such user here: ${address}`) : null))
    },
    onData(stream, { envelope }, done) {
      void text(stream).then((raw) => {
        const mood = moodAt('data')
        if (!mood)
          letters.push({ from: envelope.mailFrom ? envelope.mailFrom.address : '', to: envelope.rcptTo.map(({ address }) => address), raw })
        if (moods[0] === 'kind') moods.shift()
        done(mood)
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  fake.url = `smtp://${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${(server.server.address() as AddressInfo).port}`
  return fake
}

export async function startBrokenSmtp(
  how: 'silent' | 'closes' | 'closes after greeting' | 'drips',
): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    if (how === 'closes') socket.destroy()
    if (how === 'closes after greeting') socket.end('220 mail ready\r\n')
    // Never silent for long and never done: only a limit on the total time helps.
    if (how === 'drips') {
      socket.write('220 mail ready\r\n')
      const drip = setInterval(() => socket.write('250-still thinking\r\n'), 200)
      socket.on('close', () => clearInterval(drip))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
