import type { PageBytes } from './rendered-html.server.ts'
import { holdEarlySubmits } from './held-submit.server.ts'
import { APP_PART, IS_ON_DEMAND, START_APP } from './start-app.ts'

/**
 * Loads scripts after pictures: everything works without scripts, so on a slow connection they must not compete with the content. The page's module
 * script stays inert until everything else has loaded or somebody touches the page; then its files load together. (React Router would preload them
 * from the head and has no switch for this, so this code rewrites its output.)
 * On a page whose route says `handle = { app: 'on-demand' }`, only a touch of an element within `[data-app]` or START_APP starts it; with
 * `[data-app=now]` it starts as elsewhere. The server and page-script.ts handle all other parts of such a page. `afterwards` is one more inline
 * script, which runs when this is done.
 * To remove: when `Scripts` can be told when to load. Without this, the scripts compete with the pictures, and everything else works.
 */
export function withLateScripts(html: PageBytes, nonce: string, afterwards = ''): PageBytes {
  const files: string[] = []
  const body = html.indexOf('</head>')
  const head = html.slice(0, body).replace(/<link rel="modulepreload"[^>]*? href="([^"]+)"[^>]*>/g, (_, href: string) => {
    files.push(href)
    return ''
  })
  const sign = `<script nonce="${nonce}" type="module"`
  const start = html.indexOf(sign, body)
  if (start < 0 || html.includes(sign, start + 1))
    throw new Error("A page does not have exactly one module script: React Router's output has changed.")
  const text = html.indexOf('>', start) + 1
  const end = html.indexOf('</script>', text)
  const imports = files.map((file) => `import ${JSON.stringify(file)};`).join('')
  const late = `<script nonce="${nonce}" type="text/late" id="late">${imports}${html.slice(text, end)}</script><script nonce="${nonce}">${holdEarlySubmits};${starter};${afterwards}`
  return head + html.slice(body, start) + late + html.slice(end)
}

/** Activates the waiting script once. It gets the nonce of this script, or its hash is allowed (security-headers.server.ts). */
const starter = [
  `!function(d,s,n){var isWaiting=${IS_ON_DEMAND}&&!d.querySelector("[${APP_PART}=now]");`,
  'function start(){var late=d.getElementById("late");if(late){late.id="";s.type="module";s.nonce=n;s.text=late.text;s.onerror=giveUp;d.head.append(s);s.remove()}}',
  '["pointerdown","keydown","click","focusin"].forEach(function(sign){addEventListener(sign,function on(e){',
  `if(isWaiting?!(e.target.closest&&e.target.closest("[${APP_PART}]")):sign=="focusin")return;`,
  'removeEventListener(sign,on,true);d.documentElement.dataset.touched="";start()},true)});',
  `isWaiting?addEventListener("${START_APP}",start):d.readyState=="complete"?start():addEventListener("load",start)`,
  '}(document,document.createElement("script"),document.currentScript.nonce)',
].join('')
