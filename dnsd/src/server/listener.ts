import type { ServerEvents } from './events.ts'
import type { Responder } from './responder.ts'
import type { TransferSource } from './transfer-source.ts'

/** What every transport needs to listen. */
export interface ListenOptions {
  /** An IPv4 or IPv6 address. An IPv6 wildcard does not take IPv4 along. */
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly respond: Responder
  /** Over TCP; by default there are none. */
  readonly transfers?: TransferSource
  readonly events: ServerEvents
  /** Lets several processes or threads share the address; the kernel spreads the clients. */
  readonly reusePort?: boolean
}

/** A transport that answers. */
export interface Listener {
  readonly host: string
  readonly port: number
  /** Stops taking requests; what was taken is answered. */
  close(): Promise<void>
}
