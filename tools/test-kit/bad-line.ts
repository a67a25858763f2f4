import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Settings of a simulated connection. They may change during use. */
interface Weather {
  /** In each direction. */
  delayMs: number
  /** The percentage of answers that never arrive; the connection is cut instead. */
  lostPercent: number
  /** A random source from 0 to 1. */
  luck: () => number
}

export interface BadLine {
  port: number
  weather: Weather
  /** Cuts all current connections. */
  cut(): void
  close(): Promise<void>
}

/** A TCP proxy to a port of this machine with simulated delay and loss: between site and database, or between browsers and site. */
export async function layBadLine(to: { host: string; port: number }, weather: Partial<Weather> = {}): Promise<BadLine> {
  const line = { delayMs: 0, lostPercent: 0, luck: Math.random, ...weather }
  const ends = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to.port, to.host)
    for (const end of [near, far]) {
      end.setNoDelay(true)
      ends.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        ends.delete(end)
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (bytes) => later(() => far.write(bytes)))
    far.on('data', (bytes) => {
      const isLost = line.luck() * 100 < line.lostPercent
      later(() => (isLost ? near.destroy() : near.write(bytes)))
    })
    // One side's end closes the other, but only after all data sent before it.
    near.on('end', () => later(() => far.end()))
    far.on('end', () => later(() => near.end()))
  })
  const later = (act: () => void) => (line.delayMs === 0 ? act() : setTimeout(act, line.delayMs))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    for (const end of ends) end.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    weather: line,
    cut,
    close: async () => {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}
