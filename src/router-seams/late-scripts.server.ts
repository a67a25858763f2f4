import { answerWhileOffline } from '#src/kit/device/offline-tap.ts'
import type { PageBytes } from './rendered-html.server.ts'
import { holdEarlySubmits } from './held-submit.server.ts'

/**
 * Loads scripts after pictures: everything works without scripts, so on a slow line they do not compete with the content. The page's
 * module script waits, unread, until everything else has arrived or somebody touches the page; its files are then fetched
 * together. (React Router would preload them from the head. Its output is rewritten here because it has no switch for this.)
 * To remove: when `Scripts` can be told when to load; without this the scripts compete with the pictures, and all else works.
 */
export function withLateScripts(html: PageBytes, nonce: string): PageBytes {
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
  const late = `<script nonce="${nonce}" type="text/late" id="late">${imports}${html.slice(text, end)}</script><script nonce="${nonce}">${holdEarlySubmits};${starter};${answerWhileOffline}`
  return head + html.slice(body, start) + late + html.slice(end)
}

/** Runs the waiting script, once. It carries the nonce of this one, or its hash is allowed (security-headers.server.ts). */
const starter = [
  '!function(d,s,n){',
  'function start(){var late=d.getElementById("late");if(late){late.id="";s.type="module";s.nonce=n;s.text=late.text;s.onerror=giveUp;d.head.append(s);s.remove()}}',
  '["pointerdown","keydown","click"].forEach(function(sign){addEventListener(sign,function(){d.documentElement.dataset.touched="";start()},{once:true,capture:true})});',
  'd.readyState=="complete"?start():addEventListener("load",start)',
  '}(document,document.createElement("script"),document.currentScript.nonce)',
].join('')
