import { buildIfNeeded } from './build.ts'

buildIfNeeded()
await import('../server.ts')
