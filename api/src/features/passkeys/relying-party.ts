import type { Config } from '../../config.ts'

/** Who asks authenticators for signatures (WebAuthn §4 "relying party"). */
export interface RelyingParty {
  /** The name that passkeys belong to. Under another one, none of them works. */
  readonly id: string
  /** The one place whose pages may ask. */
  readonly origin: string
  readonly name: string
}

/**
 * By configuration alone: what a request says of its host is said by whoever sends it, and a page of another
 * name that passes a passkey's answer on is just what passkeys are proof against.
 */
export function relyingParty({
  publicUrl,
  productName,
}: Pick<Config, 'publicUrl' | 'productName'>): RelyingParty {
  return { id: publicUrl.hostname, origin: publicUrl.origin, name: productName }
}

/** EdDSA, ECDSA with P-256, RSA PKCS #1 with SHA-256 (RFC 9053, RFC 8812): what authenticators know, the preferred first. */
export const ALGORITHMS = [-8, -7, -257]
