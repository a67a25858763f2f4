import { renderSVG } from 'uqr'

/** An address as a picture for a camera, as SVG. Medium correction: a stained or folded paper is still read. */
export const qrPicture = (text: string): string => renderSVG(text, { ecc: 'M', border: 2 })
