import Button from '@mui/material/Button'
import { counted } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../api/account.ts'
import type { OwnZone } from '../../api/own-zones.ts'
import { plansQuery } from '../../api/plans.ts'
import { DomainName } from '../../components/DomainName.tsx'
import { useDialogInUrl } from '../../dialog-url.ts'
import { usePageActions } from '../../keyboard/page-actions.ts'
import { hashOf } from '../../routes.ts'
import { plansWith } from '../frame/plan-words.ts'
import { AddZoneDialog } from './AddZoneDialog.tsx'
import { Mark } from './Mark.tsx'
import { isOver, lookOf } from './zone-words.ts'

const DIALOGS = ['add'] as const

/** What the zone has, in a line. */
function contentText({ records, domains, is_vanity, nameservers }: OwnZone): string {
  const servers = is_vanity
    ? `vanity name servers ${nameservers.map(({ hostname }) => hostname).join(', ')}`
    : 'name servers of Homing'
  return [counted(records, 'record'), counted(domains, 'domain'), servers].join(' · ')
}

function Row({ zone }: { readonly zone: OwnZone }) {
  return (
    <li className="section-row">
      <div>
        <a className="own-name" href={hashOf('zones', {}, zone.id)}>
          <DomainName fqdn={zone.zone} />
        </a>
        {!isOver(zone) && <p className="muted">{contentText(zone)}</p>}
        {zone.state === 'pending' && (
          <p className="own-reason">
            {zone.is_contested
              ? 'Prove that the domain is yours.'
              : 'Set the name servers at your registrar.'}
          </p>
        )}
      </div>
      <Mark look={lookOf(zone)} />
    </li>
  )
}

/** Own zones are not in the plan: which plan has them. */
function Upsell({ hasZones }: { readonly hasZones: boolean }) {
  const { data: plans } = useQuery(plansQuery)
  return (
    <section className="card section-card" aria-labelledby="zones-upsell">
      <h2 id="zones-upsell">Own zones are not included in your plan</h2>
      <p>
        With {plansWith('vanity_ns', plans)}, Homing serves domains that you registered elsewhere,
        under its own name servers or under name servers with your name.
      </p>
      {hasZones && <p>Your zones are kept. You can open and delete them.</p>}
      <p>
        <a className="section-link" href="/pricing">
          Compare plans
        </a>
      </p>
    </section>
  )
}

function AddButton({ onAdd }: { readonly onAdd: () => void }) {
  usePageActions([{ label: 'Add Zone', icon: 'add', shortcut: 'create', run: onAdd }])
  return (
    <Button variant="contained" startIcon={<Icon name="add" />} onClick={onAdd}>
      Add Zone
    </Button>
  )
}

export function ZoneList({ zones }: { readonly zones: readonly OwnZone[] }) {
  const { data: me } = useQuery(meQuery)
  const dialog = useDialogInUrl(DIALOGS)
  const isIncluded = me?.limits.abilities.includes('vanity_ns')
  return (
    <>
      {isIncluded === false && <Upsell hasZones={zones.length > 0} />}
      {(isIncluded !== false || zones.length > 0) && (
        <section className="card section-card" aria-labelledby="zones-title">
          <div className="domain-card-head">
            <h2 id="zones-title">Your zones</h2>
            {isIncluded === true && <AddButton onAdd={() => dialog.show('add')} />}
          </div>
          {zones.length === 0 ? (
            <p>You have no own zones. Add a domain that you registered to serve it here.</p>
          ) : (
            <ul className="section-rows" aria-label="Own zones">
              {zones.map((zone) => (
                <Row key={zone.id} zone={zone} />
              ))}
            </ul>
          )}
        </section>
      )}
      {isIncluded === true && (
        <p className="muted">
          <a className="own-link" href={hashOf('vanity-nameservers')}>
            Vanity name servers
          </a>{' '}
          give your zones name servers with your own name.
        </p>
      )}
      {isIncluded === true && dialog.name === 'add' && <AddZoneDialog onClose={dialog.close} />}
    </>
  )
}
