/** How long the desk offers to undo a verdict; the bar of its button takes the same time (`--animate-runs-out` in app.css). */
export const UNDO_SECONDS = 10
