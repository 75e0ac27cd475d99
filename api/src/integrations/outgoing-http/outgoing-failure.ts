/**
 * Why an outgoing request failed: a code for programs, and a sentence that may be shown to the user who named the URL.
 *
 * No message contains an address or the text of a lower layer, so a user cannot learn how names resolve inside the
 * operator's network.
 */
import type { CertificateFacts } from './certificate.ts'
import type { Phase, PhaseMs } from './phases.ts'

export type OutgoingCode =
  | 'invalid-url'
  | 'scheme-not-allowed'
  | 'port-not-allowed'
  | 'invalid-request'
  | 'own-address'
  | 'private-address'
  | 'dns'
  | 'dns-unavailable'
  | 'refused'
  | 'unreachable'
  | 'connection-lost'
  | 'timeout'
  | 'tls-expired'
  | 'tls-not-yet-valid'
  | 'tls-name-mismatch'
  | 'tls-untrusted'
  | 'tls-failed'
  | 'invalid-response'
  | 'too-large'
  | 'too-many-redirects'
  | 'failed'

/** The known facts about the failed hop. */
export interface FailedHop {
  readonly url?: string
  readonly phaseMs?: PhaseMs
  /** Undefined when the TLS handshake did not reach the certificate. */
  readonly certificate?: CertificateFacts
}

/** An outgoing request that failed or was not allowed. */
export class OutgoingFailure extends Error {
  override name = 'OutgoingFailure'
  readonly code: OutgoingCode
  #hop: FailedHop = {}

  /** @param message a sentence for users */
  constructor(code: OutgoingCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }

  /** The hop that failed. */
  get hop(): FailedHop {
    return this.#hop
  }

  /** Records which hop failed. */
  at(hop: FailedHop): this {
    this.#hop = hop
    return this
  }
}

type Reason = readonly [code: OutgoingCode, message: string]

const UNREACHABLE: Reason = ['unreachable', 'There is no route to the server.']
const LOST: Reason = ['connection-lost', 'The server closed the connection before it responded.']
const NO_ANSWER: Reason = ['timeout', 'The server does not respond.']
const UNTRUSTED: Reason = [
  'tls-untrusted',
  'The certificate is not signed by a trusted authority, or an intermediate certificate is missing.',
]
const NOT_HTTP: Reason = ['invalid-response', 'The response is not valid HTTP.']

/** Error codes of the operating system, OpenSSL, Node.js and undici, with the meaning for the user. */
const REASONS: Readonly<Record<string, Reason>> = {
  ECONNREFUSED: ['refused', 'The server refused the connection: nothing listens on this port.'],
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  EADDRNOTAVAIL: UNREACHABLE,
  ECONNRESET: LOST,
  EPIPE: LOST,
  UND_ERR_SOCKET: LOST,
  ETIMEDOUT: NO_ANSWER,
  UND_ERR_HEADERS_TIMEOUT: NO_ANSWER,
  UND_ERR_BODY_TIMEOUT: ['timeout', 'The server stopped sending before the response was complete.'],
  CERT_HAS_EXPIRED: ['tls-expired', 'The certificate has expired.'],
  CERT_NOT_YET_VALID: ['tls-not-yet-valid', 'The certificate is not valid yet.'],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'tls-name-mismatch',
    'The certificate is not valid for this host name.',
  ],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['tls-untrusted', 'The certificate is self-signed.'],
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UND_ERR_HEADERS_OVERFLOW: ['too-large', 'The response headers are too large.'],
  UND_ERR_RES_EXCEEDED_MAX_SIZE: ['too-large', 'The response is too large.'],
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: NOT_HTTP,
  UND_ERR_INVALID_ARG: [
    'invalid-request',
    'The request is not valid: check its method and headers.',
  ],
  UND_ERR_NOT_SUPPORTED: [
    'invalid-request',
    'The request is not valid: check its method and headers.',
  ],
}

/** Converts the error of a lower layer. */
export function failureOfError(error: unknown): OutgoingFailure {
  if (error instanceof OutgoingFailure) return error
  const { code = '', name = '' } = error as { code?: string; name?: string }
  const reason = name === 'HTTPParserError' ? NOT_HTTP : REASONS[code]
  const [ownCode, message] = reason ?? ['failed', 'The request failed.']
  return new OutgoingFailure(ownCode, message, { cause: error })
}

/** The failure for a certificate or a TLS handshake. @param code of OpenSSL or Node.js */
export function tlsFailure(code: string, cause?: unknown): OutgoingFailure {
  const [ownCode, message] = REASONS[code] ?? ['tls-failed', 'The TLS handshake failed.']
  const isOfTls = ownCode.startsWith('tls-') || ownCode === 'connection-lost'
  return isOfTls
    ? new OutgoingFailure(ownCode, message, { cause })
    : new OutgoingFailure('tls-failed', 'The TLS handshake failed.', { cause })
}

const DOING: Readonly<Record<Phase, string>> = {
  lookup: 'while its host name was looked up',
  connect: 'while connecting',
  tls: 'during the TLS handshake',
  firstByte: 'while waiting for the response',
  body: 'while reading the response',
}

/** A time as text: `1 second`, `10 seconds`. */
export function inSeconds(ms: number): string {
  const seconds = ms / 1_000
  return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
}

/** The failure when the time limit of the whole request is reached. */
export function timeLimitReached(phase: Phase, timeLimitMs: number): OutgoingFailure {
  return new OutgoingFailure(
    'timeout',
    `The request reached its limit of ${inSeconds(timeLimitMs)} ${DOING[phase]}.`,
  )
}
