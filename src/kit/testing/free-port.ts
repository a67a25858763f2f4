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
