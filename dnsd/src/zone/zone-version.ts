/** A version of a zone: the feed's serial, the feed's ID, and the change set's token. */
export interface ZoneVersion {
  readonly serial: bigint
  readonly feedId: string
  readonly token: string
}
