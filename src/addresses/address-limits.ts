// A separate file, so that a form that shows the limits does not load the schemas.

/** Enough for a family, a farm and a few relatives. */
export const MAX_ADDRESSES = 20
export const MAX_ADDRESS_LINE = 120
