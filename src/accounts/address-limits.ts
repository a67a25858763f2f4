// By themselves, so that a form that says them does not bring the schemas along.

/** A family, a farm and a few relatives; more is a directory, not an address book. */
export const MAX_ADDRESSES = 20
/** Characters of one line of an address: longer than any label is wide. */
export const MAX_ADDRESS_LINE = 120
