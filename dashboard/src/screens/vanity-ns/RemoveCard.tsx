import { counted } from '@homing/theme/formats'
import type { OwnZone, VanityStatus } from '../../api/own-zones.ts'

interface RemoveCardProps {
  readonly zone: OwnZone
  readonly status: VanityStatus
  readonly onRemove: () => void
}

/** Zones that use the name servers would stop working, so they come first. */
export function RemoveCard({ zone, status: { zones_count }, onRemove }: RemoveCardProps) {
  const isInUse = zones_count > 0
  return (
    <section className="card section-card" aria-labelledby="vanity-remove">
      <h2 id="vanity-remove">Remove the vanity name servers</h2>
      <p>
        {zone.zone} stays an own zone, with the name servers of Homing. You must then change its
        name servers at your registrar.
      </p>
      {isInUse && (
        <p id="vanity-remove-reason" className="own-reason">
          {counted(zones_count, 'own zone uses', 'own zones use')} these name servers. Delete{' '}
          {zones_count === 1 ? 'it' : 'them'} first, or add {zones_count === 1 ? 'it' : 'them'}{' '}
          again with the name servers of Homing.
        </p>
      )}
      <p>
        <button
          type="button"
          className="line-button line-button-danger"
          disabled={isInUse}
          aria-describedby={isInUse ? 'vanity-remove-reason' : undefined}
          onClick={onRemove}
        >
          Remove Name Servers
        </button>
      </p>
    </section>
  )
}
