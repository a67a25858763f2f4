/** The storage key of this device's view: rows or big pictures. */
export const VIEW_KEY = 'list-view'

/**
 * An inline script that runs before the first row is painted. Pages are cached and the same for everybody, so only the device knows the choice. It
 * must not use other code of this file.
 */
export const showChosenView = `!function(d){var v;try{v=localStorage.getItem("${VIEW_KEY}")}catch(e){}d.dataset.view=v=="big"?v:"rows"}(document.documentElement)`
