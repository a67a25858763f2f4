/** A tap on a photo opens the full-screen viewer (photo-viewer.ts). A browser without dialogs follows the link to the picture. */
export function startPhotos(): void {
  const viewer = document.querySelector<HTMLDialogElement>('[data-viewer]')
  if (!viewer?.showModal) return
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('[data-photo]') : null
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    import('./photo-viewer.ts').then(
      ({ showPhoto }) => showPhoto(viewer, link),
      () => location.assign(link.href),
    )
  })
}
