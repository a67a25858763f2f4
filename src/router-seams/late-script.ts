/**
 * A page's HTML without the script that starts React and names its files (late-scripts.server.ts): what is shown at another address than its
 * own must not start it, and what does not start it needs no copy of its files.
 * To remove: with late-scripts.server.ts.
 */
export const withoutLateScript = (html: string) => html.replace(/<script[^>]*id="late"[^>]*>[\s\S]*?<\/script>/, '')
