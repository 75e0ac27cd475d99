/** The algorithms that RFC 8945 §6 requires or allows. MD5 and SHA-1 are not among them. */
export const TSIG_ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number]

/** A secret that this server shares with another server (RFC 8945 §2). */
export interface TsigKey {
  /** The key name in wire form. */
  readonly name: Uint8Array
  readonly algorithm: TsigAlgorithm
  readonly secret: Uint8Array
}
