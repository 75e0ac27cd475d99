import { encodeQR } from 'qr'

/** A QR code as an image, and as rows for a terminal. */
export interface QrCode {
  readonly svg: string
  /** `1` is dark. The margin is included. */
  readonly rows: string[]
}

/** Margin that readers require, in modules (ISO/IEC 18004 §6.3.8). */
const QUIET_ZONE = 4

/** A text as a QR code that is readable when 15 % of it is hidden. */
export function qrCode(text: string): QrCode {
  const options = { ecc: 'medium', border: QUIET_ZONE } as const
  const svg = encodeQR(text, 'svg', options)
  const modules = encodeQR(text, 'raw', options)
  return { svg, rows: modules.map((row) => row.map((isDark) => (isDark ? '1' : '0')).join('')) }
}
