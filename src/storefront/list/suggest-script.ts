/** Suggestions are loaded when somebody goes to the search box; offline it is a box like any other, and is tried again the next time. */
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
