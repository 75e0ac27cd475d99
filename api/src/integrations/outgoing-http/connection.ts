/** One connection to a checked address. A later change of the name's addresses has no effect. */
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import {
  connect as connectTls,
  createSecureContext,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { type CertificateFacts, certificateFacts } from './certificate.ts'
import { inSeconds, OutgoingFailure, tlsFailure } from './outgoing-failure.ts'
import type { PhaseTimer } from './phases.ts'

export interface Connection {
  readonly socket: Socket
  /** Only for https. */
  readonly certificate?: CertificateFacts
}

export interface ConnectionOptions {
  readonly timer: PhaseTimer
  /** Aborts the connection attempt. */
  readonly signal: AbortSignal
  /** Maximum wait for the connection, and for the TLS handshake. */
  readonly silenceLimitMs: number
  /** Certificates of trusted authorities, as PEM; the default is those of Node.js and `NODE_EXTRA_CA_CERTS`. */
  readonly trusted?: readonly string[] | undefined
  /** Called with the certificate before it is verified. */
  readonly onCertificate: (certificate: CertificateFacts) => void
  /** Whether a certificate that cannot be verified is accepted. */
  readonly acceptsAnyCertificate: boolean
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

export const portOf = (url: URL) =>
  url.port === '' ? (DEFAULT_PORTS[url.protocol] ?? 0) : Number(url.port)

/**
 * Connects to `address` for `url`, with TLS where the URL says so. The certificate is checked against the host of the
 * URL, which is also sent as SNI.
 *
 * @throws OutgoingFailure `tls-…`; errors of the operating system; the reason of `signal`
 */
export async function openConnection(
  url: URL,
  address: string,
  options: ConnectionOptions,
): Promise<Connection> {
  const { timer, signal } = options
  const socket = await openSocket({ address, port: portOf(url) }, options)
  if (url.protocol === 'http:') return { socket }
  try {
    return await timer.run('tls', () => secure(url, socket, options))
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw error
  }
}

/** Connects. @throws OutgoingFailure `timeout`; errors of the operating system; the reason of `signal` */
export async function openSocket(
  to: { readonly address: string; readonly port: number },
  { timer, signal, silenceLimitMs }: Pick<ConnectionOptions, 'timer' | 'signal' | 'silenceLimitMs'>,
): Promise<Socket> {
  const socket = connect({ host: to.address, port: to.port, autoSelectFamily: false })
  // An error between two phases must not end the process; the next phase fails on the closed socket.
  socket.on('error', () => undefined)
  endAfterSilence(socket, silenceLimitMs, 'The server did not accept the connection')
  try {
    await timer.run('connect', () => once(socket, 'connect', { signal }))
    socket.setTimeout(0)
    socket.setNoDelay(true)
    return socket
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    throw error
  }
}

/** @param what what the server failed to do, a sentence without its end */
function endAfterSilence(socket: Socket, limitMs: number, what: string): void {
  socket.setTimeout(limitMs, () => {
    socket.destroy(new OutgoingFailure('timeout', `${what} within ${inSeconds(limitMs)}.`))
  })
}

const contexts = new WeakMap<readonly string[], SecureContext>()
let usualContext: SecureContext | undefined

/** The settings that all connections share: they take a third of the CPU time of a connection. */
function contextOf(trusted: readonly string[] | undefined): SecureContext {
  if (trusted === undefined) return (usualContext ??= createSecureContext())
  const known = contexts.get(trusted) ?? createSecureContext({ ca: [...trusted] })
  contexts.set(trusted, known)
  return known
}

/** @throws OutgoingFailure */
async function secure(url: URL, socket: Socket, options: ConnectionOptions): Promise<Connection> {
  const { signal, trusted, onCertificate, acceptsAnyCertificate, silenceLimitMs } = options
  // RFC 6066 §3: SNI is a DNS name without a trailing dot. An IP address is checked by `host`.
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const secured = connectTls({
    socket,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ['http/1.1'],
    secureContext: contextOf(trusted),
    // The result is checked below: the contents of an invalid certificate must be kept, and Node.js would discard them.
    rejectUnauthorized: false,
  })
  secured.on('error', () => undefined)
  endAfterSilence(secured, silenceLimitMs, 'The server did not complete the TLS handshake')
  try {
    await once(secured, 'secureConnect', { signal })
    secured.setTimeout(0)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof OutgoingFailure) throw error
    throw tlsFailure((error as { code?: string }).code ?? '', error)
  }
  const certificate = factsOf(secured)
  if (certificate !== undefined) onCertificate(certificate)
  if (!secured.authorized && !acceptsAnyCertificate) {
    secured.destroy()
    throw tlsFailure(verifyErrorOf(secured) ?? '')
  }
  return { socket: secured, ...(certificate === undefined ? {} : { certificate }) }
}

/** Node.js declares an Error here, but returns its code. */
function verifyErrorOf(secured: TLSSocket): string | undefined {
  if (secured.authorized) return undefined
  const error: unknown = secured.authorizationError
  return typeof error === 'string'
    ? error
    : ((error as { code?: string } | null)?.code ?? 'unknown')
}

function factsOf(secured: TLSSocket): CertificateFacts | undefined {
  const certificate = secured.getPeerX509Certificate()
  return certificate && certificateFacts(certificate, verifyErrorOf(secured))
}
