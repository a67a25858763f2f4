/** A tap on a still picture plays its video in place. A browser that cannot play it says so and links the file (clip-list.tsx). */
export function startClips(): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('[data-clip]') : null
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    play(link)
  })
  // These events do not bubble, so capture them. A clip in a sheet stops when the sheet closes.
  document.addEventListener('toggle', ({ target }) => target instanceof HTMLElement && pauseHidden(target), true)
  document.addEventListener('error', (event) => event.target instanceof HTMLMediaElement && showCannotPlay(event.target), true)
}

function play(link: HTMLAnchorElement): void {
  const video = document.createElement('video')
  Object.assign(video, { controls: true, playsInline: true, src: link.href, className: link.className, ariaLabel: link.ariaLabel })
  link.hidden = true
  link.after(video)
  video.focus()
  // A browser that requires another tap shows its own play button.
  video.play().catch(() => {})
}

function pauseHidden(sheet: HTMLElement): void {
  if (sheet.popover !== null && !sheet.matches(':popover-open')) for (const video of sheet.querySelectorAll('video')) video.pause()
}

function showCannotPlay(player: HTMLMediaElement): void {
  const note = player.closest('[data-clip-box]')?.querySelector<HTMLElement>('[data-clip-cannot]')
  if (note) note.hidden = false
}
