import { renderSVG } from 'uqr'

/** A QR code as SVG. Medium error correction, so that a stained or folded paper still scans. */
export const qrPicture = (text: string): string => renderSVG(text, { ecc: 'M', border: 2 })
