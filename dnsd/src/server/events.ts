import type { CookieStanding, Rcode } from '../wire/index.ts'

export type Transport = 'udp' | 'tcp'

/** One answered request, for metrics and logs. */
export interface Answered {
  readonly transport: Transport
  /** The query type; undefined when the question could not be read. */
  readonly qtype: number | undefined
  readonly rcode: Rcode
  /** The length of the answer, without TCP's length field. */
  readonly octets: number
  readonly truncated: boolean
  /** What the cookie says about the client; undefined without a cookie. */
  readonly cookie?: Exclude<CookieStanding, 'none'> | undefined
}

/** Why this side closed or refused a TCP connection. */
export type CloseReason =
  | 'idle'
  /** A message was begun and not finished in time. */
  | 'unfinished-message'
  /** A new connection displaced it, because of the limit for all clients or for its network. */
  | 'evicted'
  /** A transfer failed; the client must restart it. */
  | 'transfer-failed'
  | 'shutdown'

/** Server events, for counters and logs. Called while answering, so listeners must be quick. */
export interface ServerEvents {
  answered(answered: Answered): void
  /** A packet that is not a request and got no answer. */
  dropped(transport: Transport): void
  /** A fault of this server: the client got SERVFAIL, or no answer if that failed too. */
  failed(error: unknown): void
  /** An answer that the network refused, or for which there was no room. */
  unsent(error: Error): void
  connectionOpened(): void
  /** `reason` is undefined when the client closed it. */
  connectionClosed(reason: CloseReason | undefined): void
}
