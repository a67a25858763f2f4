import { createHmac } from 'node:crypto'

/** A stable mark of a person for data that phones store (content/offline/worker/owner.ts). Nobody can guess it or use it elsewhere. */
export const ownerMarkOf = (userId: number, secret: string) =>
  createHmac('sha256', secret).update(`copy-owner|${userId}`).digest('base64url').slice(0, 16)
