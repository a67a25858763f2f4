import { m } from '#src/paraglide/messages.js'
import { askWorker } from '#src/kit/device/ask-worker.ts'

/** On a page shown from its copy: tells the reader when a newer version has arrived; silent when the page is unchanged. */
export function startCopyNote(): void {
  const note = document.querySelector<HTMLElement>('#old-note[data-copied-at]')
  if (!note) return
  void askWorker<'newer' | 'same' | 'failed'>({ ask: 'newer', url: location.href.split('#')[0]! }, null).then((how) => {
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
