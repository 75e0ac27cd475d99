import type { Domain } from '../../../api/domains.ts'
import { domainHash } from '../../../routes.ts'

interface ZoneCellProps {
  readonly domain: Domain
  readonly onTag: (tag: string) => void
}

/** As many tags as keep a row low. The page of the domain has all of them. */
const SHOWN_TAGS = 2

/** The zone, and the tags of the owner. */
export function ZoneCell({ domain: { fqdn, zone, tags }, onTag }: ZoneCellProps) {
  const hidden = tags.slice(SHOWN_TAGS)
  return (
    <div>
      <span className="zone-name">{zone}</span>
      {tags.length > 0 && (
        <span className="row-tags">
          {tags.slice(0, SHOWN_TAGS).map((tag) => (
            <button
              key={tag}
              type="button"
              className="badge tag"
              aria-label={`Show domains with the tag ${tag}`}
              title={tag}
              onClick={() => onTag(tag)}
            >
              <bdi>{tag}</bdi>
            </button>
          ))}
          {hidden.length > 0 && (
            <a className="more-tags" href={domainHash(fqdn)} title={hidden.join(', ')}>
              +{hidden.length} <span className="visually-hidden">more tags of {fqdn}</span>
            </a>
          )}
        </span>
      )}
    </div>
  )
}
