/** Marks a form that comes back from a login in between (content/frame/kept-form.tsx). */
export const KEPT_FIELD = 'kept'
