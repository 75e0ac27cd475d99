/**
 * Response codes by their mnemonics (RFC 1035 §4.1.1, RFC 2136 §2.2, RFC 6891 §9, RFC 7873 §8).
 * Codes above 15 need an OPT record, which carries their upper bits.
 */
export const RCODE = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  YXDOMAIN: 6,
  NOTAUTH: 9,
  BADVERS: 16,
  BADCOOKIE: 23,
} as const

export type Rcode = keyof typeof RCODE
