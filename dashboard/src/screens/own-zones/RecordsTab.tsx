/** The records of the zone. */
import type { OwnZone } from '../../api/own-zones.ts'
import type { RecordPlace } from '../records/record-place.ts'
import RecordsPanel from '../records/RecordsPanel.tsx'

const TITLE_ID = 'zone-records-title'

const WITHHELD =
  'The plan does not include own zones, so DNS does not serve the records, and they cannot be changed.'

function placeOf({ id, zone, state }: OwnZone): RecordPlace {
  const place = { kind: 'zone', id, apex: zone } as const
  if (state === 'active') return { ...place, canEdit: true }
  return { ...place, canEdit: false, reasonNot: WITHHELD, notServed: WITHHELD }
}

export default function RecordsTab({ zone }: { readonly zone: OwnZone }) {
  // The service has no records of other zones to read.
  if (zone.state === 'active' || zone.state === 'withheld') {
    return <RecordsPanel place={placeOf(zone)} />
  }
  return (
    <section className="card section-card" aria-labelledby={TITLE_ID}>
      <h2 id={TITLE_ID}>Records</h2>
      <p>Records can be added when the zone is active.</p>
    </section>
  )
}
