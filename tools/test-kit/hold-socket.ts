import { spawnSync } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { projectRoot } from '#src/kit/base/project-root.server.ts'

/**
 * Does what systemd does with ops/sandhai.socket and ops/sandhai.service: listens, passes the socket to the site as descriptor 3, and
 * restarts the site whenever it ends. It accepts no connection itself, because it blocks while it waits for the site.
 */
const socket = createServer()
socket.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
  // Node has no type for the handle.
  const { fd } = (socket as unknown as { _handle: { fd: number } })._handle
  console.log(`holds ${(socket.address() as AddressInfo).port}`)
  const site = `echo "site $$"; LISTEN_PID=$$ LISTEN_FDS=1 exec "${process.execPath}" "${join(projectRoot, 'server.ts')}"`
  for (;;) {
    const { status } = spawnSync('sh', ['-c', site], { stdio: ['ignore', 'inherit', 'inherit', fd] })
    if (status !== 0) process.exit(1)
  }
})
