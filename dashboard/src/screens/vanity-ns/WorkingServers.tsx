/** The vanity name servers after their set-up: whether they work, what the last check found, and which zones use them. */
import { dayText } from '@homing/theme/formats'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type OwnZone, ownZonesQuery, type VanityStatus } from '../../api/own-zones.ts'
import { Loaded } from '../../components/Loaded.tsx'
import { hashOf } from '../../routes.ts'
import { CheckFacts, CheckTimes } from '../own-zones/CheckResult.tsx'
import { Mark } from '../own-zones/Mark.tsx'
import { NameServerTable } from '../own-zones/NameServerTable.tsx'
import { RegistrarGuides } from '../own-zones/RegistrarGuides.tsx'
import { RegistrarNotes } from '../own-zones/RegistrarNotes.tsx'
import { Tasks } from '../own-zones/Tasks.tsx'
import type { VanityCheck } from '../own-zones/use-verify.ts'
import { VerifyButton } from '../own-zones/VerifyButton.tsx'
import { isBroken, isEnding, isOver, lookOf } from '../own-zones/zone-words.ts'
import { ZoneState } from '../own-zones/ZoneState.tsx'
import { RemoveCard } from './RemoveCard.tsx'

interface WorkingServersProps {
  readonly zone: OwnZone
  readonly status: VanityStatus
  readonly verify: VanityCheck
  readonly onRemove: () => void
}

interface StateCardProps extends Pick<WorkingServersProps, 'zone'> {
  /** Whether the user has just verified them. The button that did it was in another step. */
  readonly isNew: boolean
}

function StateCard({ zone, isNew }: StateCardProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (isNew && document.activeElement === document.body) heading.current?.focus()
  }, [isNew])
  const isFine = zone.state === 'active' && !isBroken(zone) && !isEnding(zone)
  return (
    <section className="card section-card" aria-labelledby="vanity-state">
      <div className="domain-card-head">
        <h2 id="vanity-state" ref={heading} tabIndex={-1}>
          Name servers
        </h2>
        <Mark look={lookOf(zone)} />
      </div>
      {isFine ? (
        <p>
          Your vanity name servers are active
          {zone.active_at !== null && ` since ${dayText(zone.active_at)}`}. Domains and records of{' '}
          <a className="own-link" href={hashOf('zones', {}, zone.id)}>
            {zone.zone}
          </a>{' '}
          are on the page of the zone.
        </p>
      ) : (
        <ZoneState zone={zone} />
      )}
      <Tasks zone={zone} />
      <NameServerTable servers={zone.nameservers} hasGlue />
    </section>
  )
}

function CheckCard({ zone, verify }: Pick<WorkingServersProps, 'zone' | 'verify'>) {
  return (
    <section className="card section-card" aria-labelledby="vanity-check">
      <h2 id="vanity-check">Verification</h2>
      <VerifyButton verify={verify} label="Verify" />
      <CheckTimes zone={zone} />
      <CheckFacts zone={zone} />
    </section>
  )
}

/** Where to correct what the check found. */
function RegistrarCard({ zone }: Pick<WorkingServersProps, 'zone'>) {
  return (
    <section className="card section-card" aria-labelledby="vanity-registrar">
      <h2 id="vanity-registrar">At your registrar</h2>
      <RegistrarNotes zone={zone} />
      <RegistrarGuides hasGlue />
    </section>
  )
}

/** The other zones of the account with these name servers. */
function Users({ zone }: Pick<WorkingServersProps, 'zone'>) {
  const query = useQuery(ownZonesQuery)
  return (
    <section className="card section-card" aria-labelledby="vanity-users">
      <h2 id="vanity-users">Zones with these name servers</h2>
      <Loaded query={query}>
        {(zones) => {
          const others = zones.filter(
            (each) => each.is_vanity && each.id !== zone.id && !isOver(each),
          )
          return others.length === 0 ? (
            <p>
              No other own zone uses them.{' '}
              <a className="own-link" href={hashOf('zones', { dialog: 'add' })}>
                Add an own zone
              </a>{' '}
              to use them for another domain.
            </p>
          ) : (
            <ul className="section-rows">
              {others.map((each) => (
                <li key={each.id} className="section-row">
                  <a className="own-link" href={hashOf('zones', {}, each.id)}>
                    {each.zone}
                  </a>
                  <Mark look={lookOf(each)} />
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
    </section>
  )
}

export function WorkingServers({ zone, status, verify, onRemove }: WorkingServersProps) {
  return (
    <>
      <StateCard zone={zone} isNew={verify.data?.status === 'verified'} />
      {zone.state === 'active' && <CheckCard zone={zone} verify={verify} />}
      {isBroken(zone) && <RegistrarCard zone={zone} />}
      <Users zone={zone} />
      <RemoveCard zone={zone} status={status} onRemove={onRemove} />
    </>
  )
}
