import { thumbHashToDataURL } from 'thumbhash'

/** A blurred preview of about 32 × 32 pixels from the stored 28 characters. */
export const likenessOf = (hash: string) => thumbHashToDataURL(Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)))
