import { renderSVG } from 'uqr';

/** A QR code as SVG, which is still read with an eighth of it dirty, and has its quiet zone. */
export const qrCode = (text: string): string => renderSVG(text, { ecc: 'M', border: 4 });
