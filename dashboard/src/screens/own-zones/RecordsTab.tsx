/** The records of the zone. */
import type { OwnZone } from '../../api/own-zones.ts'
import type { RecordPlace } from '../records/record-place.ts'
import RecordsPanel from '../records/RecordsPanel.tsx'

function placeOf({ id, zone, state }: OwnZone): RecordPlace {
  const place = { kind: 'zone', id, apex: zone } as const
  if (state === 'active') return { ...place, canEdit: true }
  const reason =
    state === 'withheld'
      ? 'The plan does not include own zones, so DNS does not serve the records, and they cannot be changed.'
      : 'Records can be added when the zone is active.'
  return {
    ...place,
    canEdit: false,
    reasonNot: reason,
    ...(state === 'withheld' && { notServed: reason }),
  }
}

export default function RecordsTab({ zone }: { readonly zone: OwnZone }) {
  return <RecordsPanel place={placeOf(zone)} />
}
