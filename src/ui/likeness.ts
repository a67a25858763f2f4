import { thumbHashToDataURL } from 'thumbhash'

/** A blurred picture of about 32 × 32 from the 28 letters that are stored of it. */
export const likenessOf = (hash: string) => thumbHashToDataURL(Uint8Array.from(atob(hash), (letter) => letter.charCodeAt(0)))
