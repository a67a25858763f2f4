import type { default as Sharp } from 'sharp'

let loaded: Promise<typeof Sharp> | undefined

/**
 * The only access to the picture library. It loads with the first picture, because its 23 MB would slow the start. Before anybody can use it, this
 * function restricts its decoders to JPEG and PNG for the whole process: libvips would also open SVG, GIF, TIFF, PDF and more under any file name,
 * and each decoder adds attack surface.
 */
export function loadSharp(): Promise<typeof Sharp> {
  return (loaded ??= restricted())
}

async function restricted(): Promise<typeof Sharp> {
  const { default: sharp } = await import('sharp')
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng'] })
  sharp.cache(false) // each picture is decoded once, so a cache only wastes memory
  return sharp
}
