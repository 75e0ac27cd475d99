/** Why a transfer was refused. */
export type TransferRefusal =
  /** Neither the client's key nor its network is allowed to transfer the zone. */
  | 'not-allowed'
  /** The signature is invalid, outside the time window, or made with an unknown key. */
  | 'bad-signature'
  /** Too many transfers are waiting. */
  | 'busy'
  /** Changes of the zone were lost on disk, and it has not been read from the database since. */
  | 'incomplete'

/** A completed transfer. */
export interface SentTransfer {
  readonly zone: string
  readonly client: string
  /** The requested type. */
  readonly asked: 'AXFR' | 'IXFR'
  /** What was sent: the whole zone, the differences, or only the SOA. */
  readonly kind: 'whole' | 'differences' | 'nothing-new'
  readonly serial: number
  readonly messages: number
  readonly octets: number
  readonly tookMs: number
}

/** Secondary server events, for logs and metrics. */
export interface TransferEvents {
  refused(zone: string, client: string, why: TransferRefusal): void
  sent(transfer: SentTransfer): void
  /** `why` is undefined when the client disconnected. */
  broken(zone: string, client: string, why: Error | undefined): void
  /** A secondary acknowledged a NOTIFY for a zone. */
  acknowledged(zone: string, secondary: string): void
  /** The secondary did not answer any NOTIFY, or refused it. */
  unacknowledged(zone: string, secondary: string, why: string): void
}
