/** All controls of the list page belong to one GET form, wherever they are on the page. */
export const BROWSE_FORM = 'browse'
export const FILTER_ID = 'filter'
