/** Loads suggestions when somebody focuses the search box. Offline it stays a plain box, and the next focus retries. */
export function startSuggestions(): void {
  let isLoaded = false
  document.addEventListener('focusin', ({ target }) => {
    if (isLoaded || !(target instanceof HTMLInputElement) || target.id !== 'search' || !target.form) return
    isLoaded = true
    import('./suggest.ts').then(
      ({ suggest }) => suggest(target),
      () => (isLoaded = false),
    )
  })
}
