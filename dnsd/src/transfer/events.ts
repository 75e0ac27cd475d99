/** Why a zone was not given. */
export type TransferRefusal =
  /** Neither key nor network of the client is allowed it. */
  | 'not-allowed'
  /** The signature is wrong, from another time, or of a key that is not known. */
  | 'bad-signature'
  /** Too many transfers wait. */
  | 'busy'
  /** Changes of the zone were lost on disk, and it has not been read from the database since. */
  | 'incomplete'

/** A transfer that came to its end. */
export interface SentTransfer {
  readonly zone: string
  readonly client: string
  /** What was asked for. */
  readonly asked: 'AXFR' | 'IXFR'
  /** What was sent: the zone, what changed in it, or the SOA alone. */
  readonly kind: 'whole' | 'differences' | 'nothing-new'
  readonly serial: number
  readonly messages: number
  readonly octets: number
  readonly tookMs: number
}

/** What happens with secondaries, for log and metrics. */
export interface TransferEvents {
  refused(zone: string, client: string, why: TransferRefusal): void
  sent(transfer: SentTransfer): void
  /** `why` is undefined when the client went away. */
  broken(zone: string, client: string, why: Error | undefined): void
  /** A secondary knows of a version of a zone. */
  acknowledged(zone: string, secondary: string): void
  /** It was told often enough, or does not want to know. */
  unacknowledged(zone: string, secondary: string, why: string): void
}
