import { m } from '#src/paraglide/messages.js'
import { askWorker } from '#src/kit/device/ask-worker.ts'

/** On a page that was shown from its copy: says when the line has brought another one, and nothing more when it is the same. */
export function startCopyNote(): void {
  const note = document.querySelector<HTMLElement>('#old-note[data-copied-at]')
  if (!note) return
  void askWorker<'newer' | 'same' | 'failed'>({ ask: 'newer', url: location.href.split('#')[0]! }).then((how) => {
    if (how === 'same') note.replaceChildren()
    if (how !== 'newer') return
    const link = Object.assign(document.createElement('a'), {
      href: location.href,
      textContent: m.offline_show_new(),
      className: 'underline',
    })
    link.onclick = (event) => {
      event.preventDefault()
      location.reload()
    }
    note.append(' ', link)
  })
}
