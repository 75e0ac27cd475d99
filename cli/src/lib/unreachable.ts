/** Why no answer came, in a sentence. */
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

const UNKNOWN_SIGNER =
  'nobody known signed its certificate. If it is your own, name the file of its signer in NODE_EXTRA_CA_CERTS'

/** The code of the operating system, the resolver or TLS → what it means. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  ENOTFOUND: 'there is no such name in DNS',
  EAI_AGAIN: 'its name cannot be looked up at the moment',
  CERT_HAS_EXPIRED: 'its certificate has expired, or the clock of this machine is wrong',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; is the clock of this machine right?',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_SIGNER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_SIGNER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_SIGNER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_SIGNER,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS; is it http instead of https?',
}

interface FetchCause {
  readonly name?: string
  readonly code?: string
  readonly message?: string
  /** One error for each address that was tried. */
  readonly errors?: readonly { readonly code?: string }[]
}

/** The failure that `fetch` throws when no answer came, or not all of it. */
export function unreachable(server: string, error: unknown): CommandFailure {
  const { name, message, cause } = error as Error & { cause?: FetchCause }
  if (name === 'TimeoutError') return failure(server, 'it does not answer')
  const code = cause?.code ?? cause?.errors?.[0]?.code ?? ''
  const reason = cause?.name === 'HTTPParserError' ? 'it speaks no HTTP' : REASONS[code]
  return failure(server, reason ?? (cause?.message || code || message))
}

const failure = (server: string, reason: string) =>
  new CommandFailure(
    EXIT.network,
    `${server} cannot be reached: ${reason}${reason.endsWith('?') ? '' : '.'}`,
  )
