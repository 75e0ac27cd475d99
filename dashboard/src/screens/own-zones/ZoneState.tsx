/** What the state of an own zone means, and what the user can do about it. */
import { dayText } from '@homing/theme/formats'
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'

import type { OwnZone } from '../../api/own-zones.ts'
import { plansQuery } from '../../api/plans.ts'
import { hashOf } from '../../routes.ts'
import { plansWith } from '../frame/plan-words.ts'
import { isBroken, isEnding } from './zone-words.ts'

interface ZoneStateProps {
  readonly zone: OwnZone
}

/** The plan that includes own zones, with the way to it. */
function Upgrade() {
  const { data: plans } = useQuery(plansQuery)
  return (
    <>
      {plansWith('vanity_ns', plans)}. <a href="/pricing">Compare plans</a>
    </>
  )
}

function Pending({ zone: { zone, expires_at } }: ZoneStateProps) {
  return (
    <p>
      Homing answers for {zone} with its name servers alone until you have proved that the domain is
      yours. Records and domains can be created then.
      {expires_at !== null && ` The claim expires on ${dayText(expires_at)}.`}
    </p>
  )
}

function Active({ zone }: ZoneStateProps) {
  return (
    <>
      {isBroken(zone) ? (
        <p>
          The last check found an error, so parts of the Internet may not reach {zone.zone}. Your
          records and domains are still served.
        </p>
      ) : (
        <p>DNS serves your records and domains.</p>
      )}
      {isEnding(zone) && zone.withheld_at !== null && (
        <p>
          Your plan does not include own zones any more. The zone is served until{' '}
          <strong>{dayText(zone.withheld_at)}</strong>, and withheld after it. It stays with{' '}
          <Upgrade />
        </p>
      )}
    </>
  )
}

function Withheld({ zone: { zone, withheld_at } }: ZoneStateProps) {
  return (
    <p>
      Your plan does not include own zones, so DNS does not answer for {zone}
      {withheld_at !== null && ` since ${dayText(withheld_at)}`}. Its records and domains are kept,
      and work again with <Upgrade />
    </p>
  )
}

function Again({ zone }: ZoneStateProps) {
  return (
    <a className="own-link" href={hashOf('zones', { dialog: 'add', part: zone.zone })}>
      Claim {zone.zone} again
    </a>
  )
}

function Lost({ zone }: ZoneStateProps) {
  return (
    <p>
      Another account proved that it owns {zone.zone}, so your zone is not served any more. Its
      records and domains are kept. They come back when you prove that the domain is yours.{' '}
      <Again zone={zone} />
    </p>
  )
}

function Expired({ zone }: ZoneStateProps) {
  return (
    <p>
      Nobody proved within 30 days that {zone.zone} is yours, so the claim expired.{' '}
      <Again zone={zone} />
    </p>
  )
}

const TEXTS: Readonly<Record<OwnZone['state'], ComponentType<ZoneStateProps>>> = {
  pending: Pending,
  active: Active,
  withheld: Withheld,
  lost: Lost,
  expired: Expired,
}

export function ZoneState({ zone }: ZoneStateProps) {
  const Text = TEXTS[zone.state]
  return <Text zone={zone} />
}
