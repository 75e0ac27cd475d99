import type { Domain } from '../../../api/domains.ts'
import { domainHash } from '../../../routes.ts'

interface ZoneCellProps {
  readonly domain: Domain
  readonly onTag: (tag: string) => void
}

/** Characters of two tags that fit beside each other, alone and with the number of the others. */
const ROOM = { alone: 10, withOthers: 6 } as const

/** What keeps a row low: a second tag only where both have room. The page of the domain has all of them. */
function shownCount([first = '', second = '', ...others]: readonly string[]): number {
  const room = others.length === 0 ? ROOM.alone : ROOM.withOthers
  return first.length + second.length <= room ? 2 : 1
}

/** The zone, and the tags of the owner. */
export function ZoneCell({ domain: { fqdn, zone, tags }, onTag }: ZoneCellProps) {
  const shown = tags.slice(0, shownCount(tags))
  const hidden = tags.slice(shown.length)
  return (
    <div>
      <span className="zone-name">{zone}</span>
      {tags.length > 0 && (
        <span className="row-tags">
          {shown.map((tag) => (
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
