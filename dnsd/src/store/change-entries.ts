import type { Entry } from './disk/entry.ts'
import { zoneEntries } from './disk/snapshot-file.ts'
import type { Change } from './zone-store.ts'

/** The log entries of a change. */
export function* entriesOf(change: Change): Generator<Entry> {
  const { zoneId } = change
  switch (change.kind) {
    case 'sets':
      for (const set of change.sets) yield { kind: 'change-set', zoneId, set }
      return
    case 'zone': {
      const { zone } = change
      const { version, soaParameters: soa } = zone
      yield* zoneEntries({ zoneId, zone, version, soa })
      return
    }
    case 'zone-gone':
      yield { kind: 'zone-gone', zoneId }
  }
}
