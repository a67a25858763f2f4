/** Marks a form that returns after an interrupting login (content/frame/interrupted-form.tsx). */
export const RESUMED_FIELD = 'kept'
