/** How long a desk offers to undo an act. The bar of its button takes the same time (app.css, `runs-out`). */
export const UNDO_SECONDS = 10

/** The messages wait a little longer than the undo button, so that a tap in the last second still works. */
export const MESSAGE_DELAY_SECONDS = UNDO_SECONDS + 5
