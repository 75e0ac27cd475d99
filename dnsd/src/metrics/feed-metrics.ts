import { nameToText } from '../names/index.ts'
import type {
  PostgresFollower,
  SnapshotAndLog,
  SourceState,
  StoreEvents,
  ZoneStore,
} from '../store/index.ts'
import type { MetricSet } from './metric-set.ts'

const SOURCE_STATES: readonly SourceState[] = ['away', 'reading', 'current']

/** Counts the events of the store. */
export function countStoreEvents(metrics: MetricSet): StoreEvents {
  const applied = metrics.counter('change_sets_total', 'Change sets applied.', ['zone'])
  const resyncs = metrics.counter('resyncs_total', 'Zones read completely.', ['zone', 'reason'])
  const skipped = metrics.counter('skipped_rows_total', 'Rows that cannot be served.', ['zone'])
  const diskErrors = metrics.counter('disk_errors_total', 'Failed writes.', ['file'])
  const snapshots = metrics.counter('snapshots_total', 'Snapshots written.', [])
  const changes = metrics.counter('source_changes_total', 'Changes of source_state.', ['state'])
  return {
    source: (state) => changes.inc({ state }),
    finding: () => undefined,
    loaded: () => undefined,
    removed: () => undefined,
    applied: (zone, sets) => applied.inc({ zone }, sets),
    resync: (zone, reason) => resyncs.inc({ zone, reason }),
    skipped: (zone) => skipped.inc({ zone }),
    diskError: (file) => diskErrors.inc({ file }),
    snapshot: () => snapshots.inc(),
  }
}

/** Exports the state of the zones and of the feed. */
export function showFeed(
  metrics: MetricSet,
  store: ZoneStore,
  follower: PostgresFollower,
  disk: Pick<SnapshotAndLog, 'status'>,
): void {
  const zones = ['zone'] as const
  metrics.gauge('source_state', '1 for the current state of the database.', ['state'], (set) => {
    for (const state of SOURCE_STATES) set({ state }, follower.state === state ? 1 : 0)
  })
  metrics.gauge('lag_seconds', 'Seconds since dnsd was last known to be up to date.', [], (set) => {
    if (follower.lagSeconds !== undefined) set({}, follower.lagSeconds)
  })
  metrics.gauge(
    'lag_serials',
    'Change sets seen in the database and not served yet.',
    zones,
    (set) => {
      for (const zone of store.zones.all()) {
        const name = nameToText(zone.apex)
        const seen = follower.seenSerials.get(name)
        if (seen !== undefined) set({ zone: name }, Number(seen - zone.version.serial))
      }
    },
  )
  metrics.gauge('zone_serial', 'Serial of the feed that is served.', zones, (set) => {
    for (const zone of store.zones.all()) {
      set({ zone: nameToText(zone.apex) }, Number(zone.version.serial))
    }
  })
  metrics.gauge('zone_names', 'Existing names.', zones, (set) => {
    for (const zone of store.zones.all()) set({ zone: nameToText(zone.apex) }, zone.nameCount)
  })
  metrics.gauge('zone_incomplete', '1 while changes of the zone are missing.', zones, (set) => {
    for (const zone of store.zones.all()) {
      set({ zone: nameToText(zone.apex) }, zone.isIncomplete ? 1 : 0)
    }
  })
  showDisk(metrics, disk)
}

function showDisk(metrics: MetricSet, disk: Pick<SnapshotAndLog, 'status'>): void {
  metrics.gauge('snapshot_generation', 'Number of the newest valid snapshot.', [], (set) => {
    if (disk.status.snapshot !== undefined) set({}, disk.status.snapshot.generation)
  })
  metrics.gauge('snapshot_bytes', 'Bytes of that snapshot.', [], (set) => {
    if (disk.status.snapshot !== undefined) set({}, disk.status.snapshot.bytes)
  })
  metrics.gauge('log_bytes', 'Bytes of changes since that snapshot.', [], (set) => {
    set({}, disk.status.logBytes)
  })
  metrics.gauge('log_writable', '0 while changes cannot be written to disk.', [], (set) => {
    set({}, disk.status.isLogging ? 1 : 0)
  })
}
