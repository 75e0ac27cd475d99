import type { CookieStanding, Rcode } from '../wire/index.ts'

export type Transport = 'udp' | 'tcp'

/** One answered request, as metrics and logs see it. */
export interface Answered {
  readonly transport: Transport
  /** The type asked for; undefined when no question could be read. */
  readonly qtype: number | undefined
  readonly rcode: Rcode
  /** Octets of the answer, without TCP's length. */
  readonly octets: number
  readonly truncated: boolean
  /** What its cookie said of its client; undefined where there was none. */
  readonly cookie?: Exclude<CookieStanding, 'none'> | undefined
}

/** Why a TCP connection was closed by this side, or refused. */
export type CloseReason =
  | 'idle'
  /** A message was begun and not finished in time. */
  | 'unfinished-message'
  /** Another connection took its place: too many of all clients, or of its network. */
  | 'evicted'
  /** A transfer could not be finished; the client has to begin anew. */
  | 'transfer-failed'
  | 'shutdown'

/** What happens in the server, for whoever counts it. Called while answering: it has to be quick. */
export interface ServerEvents {
  answered(answered: Answered): void
  /** A packet that is no request and got no answer. */
  dropped(transport: Transport): void
  /** A fault of this server: the client got SERVFAIL, or nothing where that failed too. */
  failed(error: unknown): void
  /** An answer that the network did not take, or for which there was no room. */
  unsent(error: Error): void
  connectionOpened(): void
  /** `reason` is undefined when the client closed it. */
  connectionClosed(reason: CloseReason | undefined): void
}
