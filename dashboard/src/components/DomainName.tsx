import { unicodeName } from './unicode-name.ts'

/** A domain. A name with A-labels is shown in Unicode too, its labels from left to right in every script. */
export function DomainName({ fqdn }: { readonly fqdn: string }) {
  const unicode = unicodeName(fqdn)
  if (unicode === undefined) return <span className="domain-name">{fqdn}</span>
  return (
    <span className="domain-name">
      <bdi dir="ltr">{unicode}</bdi>{' '}
      <span className="muted monospace domain-name-ascii">{fqdn}</span>
    </span>
  )
}
