import { isIP } from 'node:net'
import type { ApiConfig } from '../../config/api.ts'

/** The service that asks authenticators for signatures (WebAuthn §4 "relying party"). */
export interface RelyingParty {
  /** The host name that passkeys belong to. Under another host name they do not work. */
  readonly id: string
  /** The only origin whose pages may ask. */
  readonly origin: string
  readonly name: string
}

/**
 * From the configuration only: the client controls the host of a request, and passkeys protect against pages
 * of another host that relay a response.
 */
export function relyingParty({
  publicUrl,
  productName,
}: Pick<ApiConfig, 'publicUrl' | 'productName'>): RelyingParty {
  return { id: publicUrl.hostname, origin: publicUrl.origin, name: productName }
}

/**
 * Why browsers create no passkeys here. They require a host name (WebAuthn §5.1.3), and a page that cannot be
 * changed on the way: over TLS, or from the same machine. The browsers' own messages are hard to understand.
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

/**
 * EdDSA, ECDSA with P-256, RSA PKCS #1 with SHA-256 (RFC 9053, RFC 8812): the algorithms that authenticators support,
 * preferred first.
 */
export const ALGORITHMS = [-8, -7, -257]
