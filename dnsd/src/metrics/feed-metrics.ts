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

/** What happens in the store, counted. */
export function countStoreEvents(metrics: MetricSet): StoreEvents {
  const applied = metrics.counter('change_sets_total', 'Change sets served.', ['zone'])
  const resyncs = metrics.counter('resyncs_total', 'Zones read as a whole.', ['zone', 'reason'])
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

/** Where the zones are, and where the feed is. */
export function showFeed(
  metrics: MetricSet,
  store: ZoneStore,
  follower: PostgresFollower,
  disk: Pick<SnapshotAndLog, 'status'>,
): void {
  const zones = ['zone'] as const
  metrics.gauge('source_state', '1 for the state of the database now.', ['state'], (set) => {
    for (const state of SOURCE_STATES) set({ state }, follower.state === state ? 1 : 0)
  })
  metrics.gauge('lag_seconds', 'Since nothing was known to be missing.', [], (set) => {
    if (follower.lagSeconds !== undefined) set({}, follower.lagSeconds)
  })
  metrics.gauge('lag_serials', 'Published and not served yet.', zones, (set) => {
    for (const zone of store.zones.all()) {
      const name = nameToText(zone.origin)
      const seen = follower.seenSerials.get(name)
      if (seen !== undefined) set({ zone: name }, Number(seen - zone.version.serial))
    }
  })
  metrics.gauge('zone_serial', 'Feed serial that is served.', zones, (set) => {
    for (const zone of store.zones.all()) {
      set({ zone: nameToText(zone.origin) }, Number(zone.version.serial))
    }
  })
  metrics.gauge('zone_names', 'Existing names.', zones, (set) => {
    for (const zone of store.zones.all()) set({ zone: nameToText(zone.origin) }, zone.nameCount)
  })
  metrics.gauge('zone_incomplete', '1 for a zone of which changes were lost.', zones, (set) => {
    for (const zone of store.zones.all()) {
      set({ zone: nameToText(zone.origin) }, zone.isIncomplete ? 1 : 0)
    }
  })
  showDisk(metrics, disk)
}

function showDisk(metrics: MetricSet, disk: Pick<SnapshotAndLog, 'status'>): void {
  metrics.gauge('snapshot_generation', 'Number of the newest good snapshot.', [], (set) => {
    if (disk.status.snapshot !== undefined) set({}, disk.status.snapshot.generation)
  })
  metrics.gauge('snapshot_bytes', 'Octets of that snapshot.', [], (set) => {
    if (disk.status.snapshot !== undefined) set({}, disk.status.snapshot.bytes)
  })
  metrics.gauge('log_bytes', 'Octets of changes since that snapshot.', [], (set) => {
    set({}, disk.status.logBytes)
  })
  metrics.gauge('log_writable', '0 while changes cannot be kept on disk.', [], (set) => {
    set({}, disk.status.isLogging ? 1 : 0)
  })
}
