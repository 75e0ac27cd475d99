import type { Domain } from '../../../api/domains.ts'

interface ZoneCellProps {
  readonly domain: Domain
  readonly onTag: (tag: string) => void
}

/** The zone, and the tags of the owner. */
export function ZoneCell({ domain: { zone, tags }, onTag }: ZoneCellProps) {
  return (
    <div>
      <span className="zone-name">{zone}</span>
      {tags.map((tag) => (
        <button
          key={tag}
          type="button"
          className="badge tag"
          aria-label={`Show domains with the tag ${tag}`}
          onClick={() => onTag(tag)}
        >
          <bdi>{tag}</bdi>
        </button>
      ))}
    </div>
  )
}
