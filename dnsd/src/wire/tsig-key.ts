/** The algorithms that RFC 8945 §6 wants or allows to be used today; MD5 and SHA-1 are not among them. */
export const TSIG_ALGORITHMS = ['hmac-sha256', 'hmac-sha384', 'hmac-sha512'] as const
export type TsigAlgorithm = (typeof TSIG_ALGORITHMS)[number]

/** A secret that this server shares with another one (RFC 8945 §2). */
export interface TsigKey {
  /** In wire form. */
  readonly name: Uint8Array
  readonly algorithm: TsigAlgorithm
  readonly secret: Uint8Array
}
