/** The current state of the source of changes. */
export type SourceState =
  /** Not connected yet, or lost: the zones in memory are still served. */
  | 'away'
  /** Reading whole zones or catching up. */
  | 'reading'
  /** All published changes are loaded. */
  | 'current'

/** Why a whole zone was read. */
export type ResyncReason =
  /** The zone was not loaded: it is new, or there is no copy on disk. */
  | 'new-zone'
  /** The database reports another history (after a restore). */
  | 'feed-changed'
  /** The database has an older serial than the loaded zone. */
  | 'serial-went-back'
  /** The same serial belongs to another change. */
  | 'history-differs'
  /** The change sets in between are past their retention. */
  | 'behind-retention'
  /** Changes of the zone were lost on disk. */
  | 'incomplete'

/** Store events, for logs and metrics. */
export interface StoreEvents {
  /** `why` is set when the state is `away`. */
  source(state: SourceState, why?: Error): void
  resync(zone: string, reason: ResyncReason): void
  /** Change sets of a zone became visible. */
  applied(zone: string, sets: number): void
  /** A zone was read as a whole and became visible. */
  loaded(zone: string, names: number, tookMs: number): void
  removed(zone: string): void
  /** A database row that cannot be served; reported once per row. */
  skipped(zone: string, owner: string, reason: string): void
  /** A notice about the files that were found. */
  finding(text: string): void
  /** The log or a snapshot could not be written and will be retried. */
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
