import sharp from 'sharp'

/** Unblocks decoders that the application blocks, because a test also writes files in those formats and reads the files that the application writes. */
export async function withBlockedDecoders<T>(read: () => Promise<T>): Promise<T> {
  const outgoing = { operation: ['VipsForeignLoadHeif', 'VipsForeignLoadWebp'] }
  sharp.unblock(outgoing)
  try {
    return await read()
  } finally {
    sharp.block(outgoing)
  }
}
