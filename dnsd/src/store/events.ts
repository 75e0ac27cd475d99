/** Where the changes come from, as it is now. */
export type SourceState =
  /** Not reached yet, or lost: what is held goes on being served. */
  | 'away'
  /** Reading zones as a whole or catching up. */
  | 'reading'
  /** Everything that was published is held. */
  | 'current'

/** Why a zone was read as a whole. */
export type ResyncReason =
  /** It was not held: a new zone, or nothing was kept on disk. */
  | 'new-zone'
  /** The database says that its history is another one (after a restore). */
  | 'feed-changed'
  /** The database is at an older serial than the zone that is held. */
  | 'serial-went-back'
  /** The same serial was given to another change. */
  | 'history-differs'
  /** The change sets in between are not kept any more. */
  | 'behind-retention'
  /** Changes of the zone were lost on disk. */
  | 'incomplete'

/** What happens in the store, for logs and metrics. */
export interface StoreEvents {
  /** `why` is there when it is away. */
  source(state: SourceState, why?: Error): void
  resync(zone: string, reason: ResyncReason): void
  /** Change sets of a zone became visible. */
  applied(zone: string, sets: number): void
  /** A zone was read as a whole and became visible. */
  loaded(zone: string, names: number, tookMs: number): void
  removed(zone: string): void
  /** A row of the database that cannot be served; told once for each. */
  skipped(zone: string, owner: string, reason: string): void
  /** Something to know about the files that were found. */
  finding(text: string): void
  /** The log or a snapshot could not be written; it is tried again. */
  diskError(what: 'log' | 'snapshot', error: unknown): void
  snapshot(bytes: number, tookMs: number): void
}

const nothing = (): void => undefined

export const SILENT_STORE: StoreEvents = {
  source: nothing,
  resync: nothing,
  applied: nothing,
  loaded: nothing,
  removed: nothing,
  skipped: nothing,
  finding: nothing,
  diskError: nothing,
  snapshot: nothing,
}
