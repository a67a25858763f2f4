import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

/** A port on which nothing listens. Another program may take it before the caller does. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** Below the ports that the kernel gives to outgoing connections, so that none of those takes one meanwhile. */
const [FIRST, COUNT] = [20_000, 12_000]

/** A port such that nothing listens on it and on each of its neighbours at these distances. */
export async function freeNeighbours(distances: number[]): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT)
    const areFree = await Promise.all(distances.map((distance) => isFree(port + distance)))
    if (areFree.every(Boolean)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const canListen = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false))
    probe.listen(port, () => resolve(true))
  })
  if (canListen) await new Promise((resolve) => probe.close(resolve))
  return canListen
}
