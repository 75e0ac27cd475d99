/** Which version of a zone is served: the feed's serial, whose feed, and the change set's token. */
export interface ZoneVersion {
  readonly serial: bigint
  readonly feedId: string
  readonly token: string
}
