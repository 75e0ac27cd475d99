import type { ServerEvents } from './events.ts'
import type { Responder } from './responder.ts'
import type { TransferSource } from './transfer-source.ts'

/** The options that every transport needs to listen. */
export interface ListenOptions {
  /** An IPv4 or IPv6 address. An IPv6 wildcard does not include IPv4. */
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  readonly respond: Responder
  /** Zone transfers over TCP; none by default. */
  readonly transfers?: TransferSource
  readonly events: ServerEvents
  /** Lets several processes or threads share the address; the kernel distributes the clients. */
  readonly reusePort?: boolean
}

/** A transport that answers. */
export interface Listener {
  readonly host: string
  readonly port: number
  /** Stops receiving; requests already received are answered. */
  close(): Promise<void>
}
