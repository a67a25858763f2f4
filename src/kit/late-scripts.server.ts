import { editBytes } from './drawn-html.server.ts'

/**
 * Scripts after pictures: everything works without them, so on a slow line they do not race what one came to see. The page's
 * module script waits, unread, until everything else has arrived or somebody touches the page; its files are then fetched
 * together. (React Router would preload them from the head. Its output is rewritten here because it has no switch for this.)
 */
export const withLateScripts = (page: Buffer, nonce: string): Buffer => editBytes(page, (html) => makeLate(html, nonce))

function makeLate(html: string, nonce: string): string {
  const files: string[] = []
  const light = html.replace(/<link rel="modulepreload"[^>]*? href="([^"]+)"[^>]*>/g, (_, href: string) => {
    files.push(href)
    return ''
  })
  let found = 0
  const late = light.replace(/<script([^>]*) type="module"[^>]*>([\s\S]*?)<\/script>/g, (_, attributes: string, text: string) => {
    found += 1
    const imports = files.map((file) => `import ${JSON.stringify(file)};`).join('')
    return `<script${attributes} type="text/late" id="late">${imports}${text}</script><script nonce="${nonce}">${starter}</script>`
  })
  if (found !== 1) throw new Error(`A page has ${found} module scripts: React Router draws them another way now.`)
  return late
}

/** Runs the waiting script, once. It carries the nonce of this one, or its hash is allowed (security-headers.server.ts). */
const starter = [
  '!function(d,s,n){',
  'function start(){var late=d.getElementById("late");if(late){late.id="";s.type="module";s.nonce=n;s.text=late.text;d.head.append(s);s.remove()}}',
  '["pointerdown","keydown"].forEach(function(sign){addEventListener(sign,start,{once:true,capture:true})});',
  'd.readyState=="complete"?start():addEventListener("load",start)',
  '}(document,document.createElement("script"),document.currentScript.nonce)',
].join('')
