import { unicodeName } from '../../../components/unicode-name.ts'
import type { Domain } from '../../../api/domains.ts'
import { domainHash } from '../../../routes.ts'

/** The name as people write it, with its A-label if that differs. It leads to the page of the domain. */
export function NameCell({ domain }: { readonly domain: Domain }) {
  const { fqdn, is_wildcard, wildcard_enabled } = domain
  const unicode = unicodeName(fqdn)
  return (
    <div>
      <a className="monospace domain-link" href={domainHash(fqdn)}>
        {unicode === undefined ? fqdn : <bdi dir="ltr">{unicode}</bdi>}
      </a>
      {unicode !== undefined && <span className="muted monospace a-label">{fqdn}</span>}
      {is_wildcard && <span className="badge">Wildcard</span>}
      {wildcard_enabled && <span className="badge">Wildcard Active</span>}
    </div>
  )
}
