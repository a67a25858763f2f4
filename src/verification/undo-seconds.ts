/** How long the desk offers to take a verdict back; the bar of its button runs out in the same time (`--animate-runs-out` in app.css). */
export const UNDO_SECONDS = 10
