import { readableName } from '../../components/unicode-name.ts'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { type OwnZone, ownZonesQuery } from '../../api/own-zones.ts'
import { DomainName } from '../../components/DomainName.tsx'
import { LoadBoundary } from '../../components/LoadBoundary.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { preloadable } from '../../components/preloadable.ts'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { SectionSkeleton } from '../../components/SectionSkeleton.tsx'
import { useDialogInUrl } from '../../dialog-url.ts'
import { usePageActions } from '../../keyboard/page-actions.ts'
import { hashOf } from '../../routes.ts'
import { DeleteZoneDialog } from './DeleteZoneDialog.tsx'
import { DomainsTab } from './DomainsTab.tsx'
import { Mark } from './Mark.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { isOver, lookOf } from './zone-words.ts'
import { ZoneHistoryTab } from './ZoneHistoryTab.tsx'
import { ZONE_TABS, type ZoneTab } from './zone-tabs.ts'

const DIALOGS = ['delete'] as const

/** As large as the other tabs together. */
const records = preloadable(() => import('./RecordsTab.tsx'))

/** The zone that the URL names, by its id or its name. Claims that are over can have the name of a later one. */
function zoneIn(zones: readonly OwnZone[], wanted: string): OwnZone | undefined {
  const named = zones.filter(({ zone }) => zone === wanted)
  return (
    zones.find(({ id }) => id === wanted) ?? named.find((zone) => !isOver(zone)) ?? named.at(-1)
  )
}

interface PartProps {
  readonly zone: OwnZone
  readonly tab: ZoneTab
}

/** A claim that is over has no records and no domains. */
const tabsOf = (zone: OwnZone) => ZONE_TABS.filter(([tab]) => !isOver(zone) || tab === 'overview')

function TabLinks({ zone, tab }: PartProps) {
  return (
    <nav aria-label="Parts of the zone" className="domain-tabs">
      {tabsOf(zone).map(([id, title]) => (
        <a
          key={id}
          className="domain-tab"
          href={hashOf('zones', id === 'overview' ? {} : { tab: id }, zone.id)}
          aria-current={id === tab ? 'page' : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  )
}

function DeleteButton({ onDelete }: { readonly onDelete: () => void }) {
  usePageActions([{ label: 'Delete Zone', icon: 'remove', run: onDelete }])
  return (
    <div className="domain-actions">
      <button type="button" className="line-button line-button-danger" onClick={onDelete}>
        <Icon name="remove" size={16} />
        Delete Zone
      </button>
    </div>
  )
}

function Parts({ zone, tab }: PartProps) {
  const dialog = useDialogInUrl(DIALOGS)
  const shown = tabsOf(zone).some(([id]) => id === tab) ? tab : 'overview'
  return (
    <>
      {!isOver(zone) && <DeleteButton onDelete={() => dialog.show('delete')} />}
      <TabLinks zone={zone} tab={shown} />
      {shown === 'overview' && <OverviewTab zone={zone} />}
      {shown === 'history' && <ZoneHistoryTab zone={zone} />}
      {shown === 'records' && (
        <LoadBoundary>
          <Suspense fallback={<SectionSkeleton />}>
            <records.Part zone={zone} />
          </Suspense>
        </LoadBoundary>
      )}
      {shown === 'domains' && <DomainsTab zone={zone} />}
      {dialog.name === 'delete' && <DeleteZoneDialog zone={zone} onClose={dialog.close} />}
    </>
  )
}

function Missing({ wanted }: { readonly wanted: string }) {
  return (
    <div className="card section-card">
      <h2>This zone is not in your account</h2>
      <p>
        You have no own zone <span className="monospace">{wanted}</span>. It may have been deleted.
        Look at{' '}
        <a className="own-link" href={hashOf('zones')}>
          your zones
        </a>
        .
      </p>
    </div>
  )
}

interface ZonePageProps {
  /** The id or the name of the zone. */
  readonly wanted: string
  readonly tab: ZoneTab
}

export function ZonePage({ wanted, tab }: ZonePageProps) {
  const query = useQuery(ownZonesQuery)
  const zone = query.data && zoneIn(query.data, wanted)
  return (
    <>
      <p>
        <a className="line-button" href={hashOf('zones')}>
          <Icon name="back" size={16} />
          Back to Own Zones
        </a>
      </p>
      <div className="domain-head">
        <ScreenTitle title={zone === undefined ? 'Own Zone' : readableName(zone.zone)}>
          {zone === undefined ? 'Own Zone' : <DomainName fqdn={zone.zone} />}
        </ScreenTitle>
        {zone !== undefined && <Mark look={lookOf(zone)} />}
      </div>
      <Loaded query={query} failure="Failed to load data">
        {() => (zone === undefined ? <Missing wanted={wanted} /> : <Parts zone={zone} tab={tab} />)}
      </Loaded>
    </>
  )
}
