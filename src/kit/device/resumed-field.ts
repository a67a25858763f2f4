/** Marks a form that comes back from a login in between (content/frame/interrupted-form.tsx). */
export const RESUMED_FIELD = 'kept'
