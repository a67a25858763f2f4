/** Marks a form that returns after an interrupting login (content/site-frame/interrupted-form.tsx). */
export const RESUMED_FIELD = 'kept'
