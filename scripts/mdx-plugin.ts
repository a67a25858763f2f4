import { compile } from '@mdx-js/mdx'
import type { Plugin } from 'vite'

/** Compiles long texts (content/<language>/*.mdx) into components, for the build and for tests. */
export function mdx(): Plugin {
  return {
    name: 'mdx',
    enforce: 'pre',
    async transform(source, id) {
      if (!id.endsWith('.mdx')) return null
      return { code: String(await compile(source)), map: null }
    },
  }
}
