/** The own zones of the account, `#zones`, and the page of one: `#zones/5?tab=records`. */
import { useQuery } from '@tanstack/react-query'
import { useLiveDomains } from '../../api/live/use-live.ts'
import { ownZonesQuery } from '../../api/own-zones.ts'
import { useSession } from '../../api/session.ts'
import { Loaded } from '../../components/Loaded.tsx'
import { ScreenTitle } from '../../components/ScreenTitle.tsx'
import { SiteFooter } from '../../components/SiteFooter.tsx'
import type { ScreenProps } from '../../routes.ts'
import { AppHeader } from '../frame/AppHeader.tsx'
import { BackToDashboard } from '../frame/BackToDashboard.tsx'
import { ZoneList } from './ZoneList.tsx'
import { ZonePage } from './ZonePage.tsx'
import { zoneTabOf } from './zone-tabs.ts'
import '../../components/section.css'
import '../domain/domain.css'
import './own-zones.css'

const areRowsHeld = () => document.querySelector('.records tbody:hover') !== null

function AllZones() {
  const query = useQuery(ownZonesQuery)
  return (
    <>
      <p>
        <BackToDashboard />
      </p>
      <ScreenTitle title="Own Zones" />
      <p>
        An own zone is a domain that you registered at a registrar, and that Homing serves: with
        your records, and with domains that your routers update.
      </p>
      <Loaded query={query} failure="Failed to load data">
        {(zones) => <ZoneList zones={zones} />}
      </Loaded>
    </>
  )
}

/** @param props.place its argument is the id or the name of a zone */
export default function ZonesScreen({ place: { argument, query } }: ScreenProps) {
  const { user } = useSession()
  useLiveDomains(areRowsHeld)
  if (user === undefined) return null
  return (
    <>
      <AppHeader screen="zones" />
      <main tabIndex={-1} className="page domain-page">
        {argument === '' ? (
          <AllZones />
        ) : (
          <ZonePage key={argument} wanted={argument.toLowerCase()} tab={zoneTabOf(query)} />
        )}
      </main>
      <SiteFooter />
    </>
  )
}
