import { createHmac } from 'node:crypto'

/**
 * A person's mark for what phones keep and show (content/offline/worker/owner.ts): the same always, and nothing that could be guessed or
 * used elsewhere.
 */
export const ownerMarkOf = (userId: number, secret: string) =>
  createHmac('sha256', secret).update(`copy-owner|${userId}`).digest('base64url').slice(0, 16)
