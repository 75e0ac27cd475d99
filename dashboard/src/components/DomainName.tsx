import { unicodeName } from './unicode-name.ts'

/** A domain. A name with A-labels is shown in Unicode too. */
export function DomainName({ fqdn }: { readonly fqdn: string }) {
  const unicode = unicodeName(fqdn)
  if (unicode === undefined) return <span className="domain-name">{fqdn}</span>
  return (
    <span className="domain-name">
      <bdi>{unicode}</bdi> <span className="muted monospace domain-name-ascii">{fqdn}</span>
    </span>
  )
}
