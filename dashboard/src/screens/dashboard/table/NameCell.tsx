import { Fragment } from 'react'
import { unicodeName } from '../../../components/unicode-name.ts'
import type { Domain } from '../../../api/domains.ts'
import { domainHash } from '../../../routes.ts'

/** Lets a long name wrap before a label, not inside one. */
const withBreaks = (name: string) =>
  name.split(/(?=\.)/).map((label, at) => (
    // The order of the labels of a name never changes.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {label}
    </Fragment>
  ))

/** The column can cut off a longer one. */
const FITS = 50
const titleOf = (fqdn: string) => (fqdn.length > FITS ? fqdn : undefined)

/** The name as people write it, with its A-label if that differs. It leads to the page of the domain. */
export function NameCell({ domain }: { readonly domain: Domain }) {
  const { fqdn, is_wildcard, wildcard_enabled } = domain
  const unicode = unicodeName(fqdn)
  return (
    <div>
      <a className="monospace domain-link" href={domainHash(fqdn)} title={titleOf(fqdn)}>
        {unicode === undefined ? withBreaks(fqdn) : <bdi dir="ltr">{unicode}</bdi>}
      </a>
      {unicode !== undefined && (
        <span className="muted monospace a-label" title={fqdn}>
          {fqdn}
        </span>
      )}
      {is_wildcard && <span className="badge">Wildcard</span>}
      {wildcard_enabled && <span className="badge">Wildcard Active</span>}
    </div>
  )
}
