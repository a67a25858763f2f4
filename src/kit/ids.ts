/** Ids in paths and bodies: a positive whole number that a double holds exactly. */
export const ID_PATTERN = /^[1-9]\d{0,14}$/
export const parseId = (text: string | undefined): number | null => (text && ID_PATTERN.test(text) ? Number(text) : null)
