import { isIP } from 'node:net'
import type { ApiConfig } from '../../config/api.ts'

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
}: Pick<ApiConfig, 'publicUrl' | 'productName'>): RelyingParty {
  return { id: publicUrl.hostname, origin: publicUrl.origin, name: productName }
}

/**
 * Why browsers make no passkey here: they want a name (WebAuthn §5.1.3), and a page that nobody on the way can
 * change, which only the machine itself is without TLS. Their own words for it are not for people.
 */
export function hindrance({
  publicUrl: { protocol, hostname },
}: Pick<ApiConfig, 'publicUrl'>): string | undefined {
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) {
    return 'Passkeys require a host name, and the URL of this service has an IP address. Please contact the operator.'
  }
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return isLocal || protocol === 'https:'
    ? undefined
    : 'Passkeys require HTTPS, and the URL of this service uses HTTP. Please contact the operator.'
}

/** EdDSA, ECDSA with P-256, RSA PKCS #1 with SHA-256 (RFC 9053, RFC 8812): what authenticators know, the preferred first. */
export const ALGORITHMS = [-8, -7, -257]
