/**
 * Whether React left a placeholder for a lazy component that was not loaded yet (`renderToString` does not wait).
 * To remove: when all pages are rendered with `renderToPipeableStream`, which waits (a tenth more work).
 */
export const hasLazyMark = (html: string): boolean => html.includes('$!-->')
