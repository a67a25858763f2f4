/** What this device shows of a list: short rows, or big pictures. */
export const VIEW_KEY = 'list-view'

/**
 * Runs while the page is being read, before the first row is painted. Pages are cached and the same for everybody: only the device knows
 * what was chosen on it. It stands alone in the page, so it may use nothing of this file but what it is given.
 */
export const showChosenView = `!function(d){var v;try{v=localStorage.getItem("${VIEW_KEY}")}catch(e){}d.dataset.view=v=="big"?v:"rows"}(document.documentElement)`
