/** What goes wrong if the name servers are changed too early. */
import { Message } from '@homing/theme/parts/Message.tsx'
import type { OwnZone } from '../../api/own-zones.ts'
import { isInside } from './zone-words.ts'

interface RegistrarNotesProps {
  readonly zone: Pick<OwnZone, 'zone' | 'nameservers' | 'state'>
}

/** Whether a name server is in the domain that it serves, so that only glue records make it reachable. */
export const needsGlue = ({ zone, nameservers }: Pick<OwnZone, 'zone' | 'nameservers'>): boolean =>
  nameservers.some(({ hostname }) => isInside(hostname, zone))

function Circle({ zone: { zone, nameservers } }: RegistrarNotesProps) {
  const [first] = nameservers.filter(({ hostname }) => isInside(hostname, zone))
  if (first === undefined) return null
  return (
    <Message tone="warn">
      <p>
        <strong>Circular reference:</strong> {first.hostname} is inside {zone}, so nobody can look
        up its address without asking it first. The glue records at the registry break this circle.
        Add them before you change the name servers. Without them, nobody reaches {zone}.
      </p>
    </Message>
  )
}

export function RegistrarNotes({ zone }: RegistrarNotesProps) {
  return (
    <>
      <Circle zone={zone} />
      {zone.state === 'pending' && (
        <Message tone="info">
          <p>
            When the name servers are changed, Homing alone answers for {zone.zone}: its website and
            its mail too. Export your records where the domain is hosted now, and import them here
            as soon as the zone is active. If the domain has DNSSEC, remove its DS record first.
          </p>
        </Message>
      )}
    </>
  )
}
