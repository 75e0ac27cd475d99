/** The domains in the zone, which routers and programs update. */
import { counted } from '@homing/theme/formats'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { zonesQuery } from '../../api/account.ts'
import { domainsQuery } from '../../api/domains.ts'
import type { OwnZone } from '../../api/own-zones.ts'
import { DomainName } from '../../components/DomainName.tsx'
import { Loaded } from '../../components/Loaded.tsx'
import { usePageActions } from '../../keyboard/page-actions.ts'
import { domainHash, go, hashOf } from '../../routes.ts'

interface DomainsTabProps {
  readonly zone: OwnZone
}

const addressText = (addresses: readonly (string | null)[]): string =>
  addresses.filter((address) => address !== null).join(', ') || 'No address yet'

/** Domains can be added while DNS serves the zone. */
function Add({ zone: { zone, state } }: DomainsTabProps) {
  const isActive = state === 'active'
  const place = hashOf('dashboard', { dialog: 'add', part: zone })
  const reason = 'Domains can be added when the zone is active.'
  const queries = useQueryClient()
  useEffect(() => {
    // The zone can have become active since Add Domain read its zones.
    if (isActive) void queries.invalidateQueries({ queryKey: zonesQuery.queryKey })
  }, [isActive, queries])
  usePageActions([
    {
      label: 'Add Domain',
      icon: 'add',
      shortcut: 'create',
      disabledReason: isActive ? undefined : reason,
      run: () => go(place),
    },
  ])
  if (!isActive) return <p className="own-reason">{reason}</p>
  return (
    <p className="section-actions">
      <a className="line-button" href={place}>
        <Icon name="add" size={16} />
        Add Domain
      </a>
      <span className="muted">
        Enter @ as the subdomain for {zone} itself. Domains count towards your plan.
      </span>
    </p>
  )
}

export function DomainsTab({ zone }: DomainsTabProps) {
  const search = `zone:${zone.zone}`
  const query = useQuery(
    domainsQuery({ search, sort: { field: 'fqdn', descending: false }, page: 1 }),
  )
  return (
    <section className="card section-card" aria-labelledby="zone-domains-title">
      <h2 id="zone-domains-title">Domains in this zone</h2>
      <Add zone={zone} />
      <Loaded query={query} failure="Failed to load domains">
        {({ domains, total }) =>
          total === 0 ? (
            <p>There are no domains in this zone.</p>
          ) : (
            <>
              <ul className="section-rows" aria-label="Domains in this zone">
                {domains.map(({ id, fqdn, record_ipv4, record_ipv6 }) => (
                  <li key={id} className="section-row">
                    <a className="own-name" href={domainHash(fqdn)}>
                      <DomainName fqdn={fqdn} />
                    </a>
                    <span className="muted monospace">
                      {addressText([record_ipv4, record_ipv6])}
                    </span>
                  </li>
                ))}
              </ul>
              <p>
                <a className="own-link" href={hashOf('dashboard', { q: search })}>
                  Show {counted(total, 'domain')} in the dashboard
                </a>
              </p>
            </>
          )
        }
      </Loaded>
    </section>
  )
}
