/** Explains in a sentence why there was no answer. */
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import type { Proxy } from './proxy.ts'

const UNKNOWN_SIGNER =
  'no trusted authority signed its certificate. If the authority is your own, set NODE_EXTRA_CA_CERTS to the file of its certificate'

/** Error code of the operating system, the resolver or TLS → its meaning. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'it closed the connection',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'it does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer',
  ENOTFOUND: 'its host name does not exist in DNS',
  EAI_AGAIN: 'its host name cannot be looked up at the moment',
  CERT_HAS_EXPIRED: 'its certificate has expired, or the clock of this machine is wrong',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; is the clock of this machine right?',
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_SIGNER,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_SIGNER,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_SIGNER,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_SIGNER,
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  HPE_HEADER_OVERFLOW: 'the headers of its response are too long',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of its response are too long',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS; is it http instead of https?',
}

/** Errors of the connection itself. With a proxy they are about the proxy, which reports errors of the server by a status. */
const OF_CONNECTION = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_PRX_CONN',
  'UND_ERR_PRX_TLS',
]

interface TransportError {
  readonly name?: string
  readonly code?: unknown
  readonly message?: string
  /** One error for each address that was tried. */
  readonly errors?: readonly { readonly code?: string }[]
  readonly cause?: TransportError
}

/** An error and its causes. */
const withCauses = (error: TransportError): TransportError[] => [
  error,
  ...(error.cause === undefined ? [] : withCauses(error.cause)),
]

/** Errors of a connection that worked until then. */
const LOST = ['ECONNRESET', 'UND_ERR_SOCKET', 'EPIPE']

function isLost(error: TransportError): boolean {
  const codes = withCauses(error).map(({ code }) => String(code))
  return error.name === 'TimeoutError' || codes.some((code) => LOST.includes(code))
}

/** @param proxy the proxy of the call */
export function unreachable(server: string, error: unknown, proxy?: Proxy): CommandFailure {
  const explained = explain(server, error, proxy)
  explained.isAnswerLost = isLost(error as TransportError)
  return explained
}

function explain(server: string, error: unknown, proxy?: Proxy): CommandFailure {
  const { name, message } = error as Error
  if (name === 'TimeoutError') return failure(server, 'it does not answer')
  const causes = withCauses(error as TransportError)
  const codes = causes
    .flatMap(({ code, errors }) => [code, errors?.[0]?.code])
    .filter((code) => typeof code === 'string')
  const known = codes.map((code) => REASONS[code]).find((reason) => reason !== undefined)
  if (proxy !== undefined) {
    const status = causes.map(proxyStatus).find((each) => each !== undefined)
    if (status !== undefined) return refusedByProxy(server, proxy, status)
    if (codes.some((code) => OF_CONNECTION.includes(code))) {
      return failure(named(proxy), known ?? 'it closed the connection')
    }
  }
  // Codes of llhttp, the parser of both transports.
  const isNotHttp = codes.some((code) => code.startsWith('HPE_'))
  const reason = known ?? (isNotHttp ? 'it does not speak HTTP' : undefined)
  return failure(server, reason ?? (message || (codes[0] ?? '')))
}

/** The status with which a proxy refuses; undici gives it only in a sentence. */
const proxyStatus = ({ message = '' }: TransportError) =>
  /Proxy response \((\d+)\)|Proxy Authentication Required \((\d+)\)/
    .exec(message)
    ?.slice(1)
    .find((digits) => digits !== undefined)

/** Without the password that its URL may contain. */
const named = ({ variable, url }: Proxy) => `The proxy ${url.origin} (${variable})`

function refusedByProxy(server: string, proxy: Proxy, status: string): CommandFailure {
  const advice =
    status === '407'
      ? `It requires a username and a password: set ${proxy.variable} to http://USER:PASSWORD@${proxy.url.host}.`
      : `To call this server without the proxy, add it to NO_PROXY.`
  return new CommandFailure(
    EXIT.network,
    `${named(proxy)} refuses to connect to ${server} (status ${status}). ${advice}`,
  )
}

const failure = (server: string, reason: string) =>
  new CommandFailure(
    EXIT.network,
    `${server} cannot be reached: ${reason}${reason.endsWith('?') ? '' : '.'}`,
  )
