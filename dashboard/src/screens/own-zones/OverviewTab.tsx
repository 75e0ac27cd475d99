/** What the zone is now: its state, how to prove it, its name servers, and what the last check found. */
import { dayText } from '@homing/theme/formats'
import type { OwnZone } from '../../api/own-zones.ts'
import { hashOf } from '../../routes.ts'
import { CheckFacts, CheckTimes } from './CheckResult.tsx'
import { NameServerTable } from './NameServerTable.tsx'
import { RegistrarGuides } from './RegistrarGuides.tsx'
import { needsGlue, RegistrarNotes } from './RegistrarNotes.tsx'
import { Tasks } from './Tasks.tsx'
import { useVerify } from './use-verify.ts'
import { VerifyButton } from './VerifyButton.tsx'
import { isBroken, isChecked, isOver } from './zone-words.ts'
import { ZoneState } from './ZoneState.tsx'

interface CardProps {
  readonly zone: OwnZone
}

function StateCard({ zone }: CardProps) {
  return (
    <section className="card section-card" aria-labelledby="state-title">
      <h2 id="state-title">State</h2>
      <ZoneState zone={zone} />
      <Tasks zone={zone} />
    </section>
  )
}

function ServersCard({ zone }: CardProps) {
  const { nameservers, is_vanity, state } = zone
  const hasGlue = needsGlue(zone)
  const isToDo = state === 'pending' || isBroken(zone)
  return (
    <section className="card section-card" aria-labelledby="servers-title">
      <h2 id="servers-title">Name servers</h2>
      <p>
        {isToDo
          ? `At your registrar, ${hasGlue ? 'create these glue records, and then ' : ''}set these host names as the only name servers of ${zone.zone}.`
          : `The parent zone delegates ${zone.zone} to these name servers.`}
        {is_vanity && (
          <>
            {' '}
            They are your{' '}
            <a className="own-link" href={hashOf('vanity-nameservers')}>
              vanity name servers
            </a>
            .
          </>
        )}
      </p>
      <NameServerTable servers={nameservers} hasGlue={hasGlue} />
      {isToDo && <RegistrarNotes zone={zone} />}
      {isToDo && <RegistrarGuides hasGlue={hasGlue} />}
    </section>
  )
}

function CheckCard({ zone }: CardProps) {
  const verify = useVerify(zone.id)
  return (
    <section className="card section-card" aria-labelledby="check-title">
      <h2 id="check-title">Check</h2>
      <VerifyButton verify={verify} label="Check Now" isMain={zone.state === 'pending'} />
      <CheckTimes zone={zone} />
      <CheckFacts zone={zone} />
    </section>
  )
}

const PROOFS: Readonly<Record<NonNullable<OwnZone['proof']>, string>> = {
  delegation: 'Its name servers',
  txt: 'A TXT record',
  ns: 'A third name server',
}

function DetailsCard({ zone }: CardProps) {
  const { claimed_at, active_at, proof, records, domains } = zone
  return (
    <section className="card section-card" aria-labelledby="zone-details-title">
      <h2 id="zone-details-title">Details</h2>
      <dl className="section-facts own-facts-columns">
        <div>
          <dt>Records</dt>
          <dd>{records}</dd>
        </div>
        <div>
          <dt>Domains</dt>
          <dd>{domains}</dd>
        </div>
        <div>
          <dt>Added</dt>
          <dd>{dayText(claimed_at)}</dd>
        </div>
        <div>
          <dt>Active since</dt>
          <dd>
            {active_at === null ? <span className="muted">Not yet</span> : dayText(active_at)}
          </dd>
        </div>
        <div>
          <dt>Proof of ownership</dt>
          <dd>{proof === null ? <span className="muted">None yet</span> : PROOFS[proof]}</dd>
        </div>
      </dl>
    </section>
  )
}

export function OverviewTab({ zone }: CardProps) {
  return (
    <>
      <StateCard zone={zone} />
      {!isOver(zone) && <ServersCard zone={zone} />}
      {isChecked(zone) && <CheckCard zone={zone} />}
      <DetailsCard zone={zone} />
    </>
  )
}
