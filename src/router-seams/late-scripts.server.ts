import { answerWhileOffline } from '#src/kit/device/offline-tap.ts'
import type { PageBytes } from './rendered-html.server.ts'
import { holdEarlySubmits } from './held-submit.server.ts'
import { APP_PART, IS_ON_DEMAND, START_APP } from './start-app.ts'

/**
 * Loads scripts after pictures: everything works without scripts, so on a slow line they do not compete with the content. The page's
 * module script waits, unread, until everything else has arrived or somebody touches the page; its files are then fetched
 * together. (React Router would preload them from the head. Its output is rewritten here because it has no switch for this.)
 * On a page whose route says `handle = { app: 'on-demand' }` only a touch of an element within `[data-app]` starts it, or START_APP; where
 * something stands within `[data-app=now]`, it starts as elsewhere. All else on such a page is the server's and page-script.ts's.
 * `afterwards` is one more inline script, for what begins when all that is done.
 * To remove: when `Scripts` can be told when to load; without this the scripts compete with the pictures, and all else works.
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
    throw new Error('A page has not one module script: React Router renders them another way now.')
  const text = html.indexOf('>', start) + 1
  const end = html.indexOf('</script>', text)
  const imports = files.map((file) => `import ${JSON.stringify(file)};`).join('')
  const late = `<script nonce="${nonce}" type="text/late" id="late">${imports}${html.slice(text, end)}</script><script nonce="${nonce}">${holdEarlySubmits};${starter};${answerWhileOffline(IS_ON_DEMAND)}${afterwards}`
  return head + html.slice(body, start) + late + html.slice(end)
}

/** Runs the waiting script, once. It carries the nonce of this one, or its hash is allowed (security-headers.server.ts). */
const starter = [
  `!function(d,s,n){var isWaiting=${IS_ON_DEMAND}&&!d.querySelector("[${APP_PART}=now]");`,
  'function start(){var late=d.getElementById("late");if(late){late.id="";s.type="module";s.nonce=n;s.text=late.text;s.onerror=giveUp;d.head.append(s);s.remove()}}',
  '["pointerdown","keydown","click","focusin"].forEach(function(sign){addEventListener(sign,function on(e){',
  `if(isWaiting?!(e.target.closest&&e.target.closest("[${APP_PART}]")):sign=="focusin")return;`,
  'removeEventListener(sign,on,true);d.documentElement.dataset.touched="";start()},true)});',
  `isWaiting?addEventListener("${START_APP}",start):d.readyState=="complete"?start():addEventListener("load",start)`,
  '}(document,document.createElement("script"),document.currentScript.nonce)',
].join('')
