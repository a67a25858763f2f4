/** The storage key of the hidden columns of one desk: their ids with spaces between. */
export const COLUMNS_KEY = 'columns:'

/** The desk at this path, in either language. All cases of a desk share its columns. */
export const deskOf = (path: string) => path.replace(/^\/en(?=\/)|\/\d+/g, '')

/** Hides the cells of these columns, except on cards. */
export const ruleOf = (ids: string) => `@media (width>=48rem){[data-col=${ids.replaceAll(' ', '],[data-col=')}]{display:none}}`

/** An inline script that runs before the first row is painted. It must use no other code. */
export const hideChosenColumns =
  `!function(rule,desk){try{var s=new CSSStyleSheet;` +
  `s.replaceSync(rule(localStorage.getItem("${COLUMNS_KEY}"+desk(location.pathname))||""));` +
  `document.adoptedStyleSheets=[s]}catch(e){}}(${ruleOf.toString()},${deskOf.toString()})`
