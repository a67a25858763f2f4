/**
 * Whether React left a mark in the place of a lazy component that was still being loaded (`renderToString` does not wait for it).
 * To remove: when all pages are rendered with `renderToPipeableStream`, which waits (a tenth more work).
 */
export const hasLazyMark = (html: string): boolean => html.includes('$!-->')
