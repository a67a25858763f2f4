/**
 * Removes the script that starts React and lists its files (late-scripts.server.ts): HTML shown at another URL must not start it, and HTML that does
 * not start it needs no copy of its files.
 * To remove: with late-scripts.server.ts.
 */
export const withoutLateScript = (html: string) => html.replace(/<script[^>]*id="late"[^>]*>[\s\S]*?<\/script>/, '')
