/** What the page shows: the period, the domain, the comparison, and the filters that are set. */
import { readableName } from '../../components/unicode-name.ts'
import { Icon } from '@homing/theme/parts/Icon.tsx'
import { Select } from '@homing/theme/parts/Select.tsx'
import { useQuery } from '@tanstack/react-query'
import { queriedDomainsQuery, type QuerySeries } from '../../api/dns-queries.ts'
import { Radios } from '../../components/Choices.tsx'
import { domainHash, go } from '../../routes.ts'
import { DIMENSION_NAMES, valueName } from './query-words.ts'
import { longestBack, PERIOD_IDS, PERIODS, type View, viewHash } from './view.ts'

/** A choice replaces the history entry, so that Back leaves the page. */
export const showView = (view: View): void => go(viewHash(view), { replace: true })

const ALL = ''

interface ControlsProps {
  readonly view: View
}

export function Controls({ view }: ControlsProps) {
  const { data: domains = [] } = useQuery(queriedDomainsQuery)
  const { domainId = ALL } = view
  const choices = domains.map(({ id, fqdn }) => [id, readableName(fqdn)] as const)
  const isListed = domainId === ALL || domains.some(({ id }) => id === domainId)
  return (
    <div className="query-controls">
      <Radios
        className="choices-tabs"
        legend="Period"
        choices={PERIOD_IDS.map((value) => ({ value, label: PERIODS[value].name }))}
        value={view.period}
        onChange={(period) => showView({ ...view, period, back: 0 })}
      />
      <Select
        label="Domain"
        value={domainId}
        choices={[
          [ALL, 'All domains'],
          ...(isListed ? [] : [[domainId, `Domain ${domainId}`] as const]),
          ...choices,
        ]}
        onChange={(id) => showView({ ...view, domainId: id === ALL ? undefined : id })}
      />
      <label className="choice">
        <input
          type="checkbox"
          checked={view.isCompared}
          onChange={({ target }) => showView({ ...view, isCompared: target.checked })}
        />
        Compare with the period before
      </label>
    </div>
  )
}

/** To the period before, and back. */
export function Shift({ view }: ControlsProps) {
  const { period, back } = view
  return (
    <nav className="query-shift" aria-label="Other periods">
      {back < longestBack(period) && (
        <a className="line-button" href={viewHash({ ...view, back: back + 1 })}>
          <Icon name="back" size={16} />
          Earlier
        </a>
      )}
      {back > 0 && (
        <a className="line-button" href={viewHash({ ...view, back: back - 1 })}>
          Later
          <Icon name="forward" size={16} />
        </a>
      )}
    </nav>
  )
}

interface ChipProps {
  readonly text: string
  readonly onRemove: () => void
}

function Chip({ text, onRemove }: ChipProps) {
  return (
    <button
      type="button"
      className="badge query-chip"
      aria-label={`Remove the filter ${text}`}
      onClick={onRemove}
    >
      <bdi>{text}</bdi>
      <Icon name="close" size={14} />
    </button>
  )
}

interface FilterChipsProps extends ControlsProps {
  /** The series of the filter's dimension, which has the names of its values; undefined until it is read. */
  readonly series: QuerySeries | undefined
}

/** The filters that are set, each of which can be removed. Escape removes all. */
export function FilterChips({ view, series }: FilterChipsProps) {
  const { data: domains = [] } = useQuery(queriedDomainsQuery)
  const { domainId, filter } = view
  if (domainId === undefined && filter === undefined) return null
  const fqdn = domains.find(({ id }) => id === domainId)?.fqdn
  const value = series?.values.find((each) => each.value === filter?.value)
  return (
    <div className="query-chips">
      {domainId !== undefined && (
        <Chip
          text={`Domain: ${fqdn === undefined ? domainId : readableName(fqdn)}`}
          onRemove={() => showView({ ...view, domainId: undefined })}
        />
      )}
      {filter && (
        <Chip
          text={`${DIMENSION_NAMES[filter.dimension]}: ${valueName(filter.dimension, value ?? { value: filter.value, label: filter.value })}`}
          onRemove={() => showView({ ...view, filter: undefined })}
        />
      )}
      {fqdn !== undefined && <a href={domainHash(fqdn)}>Page of {readableName(fqdn)}</a>}
      {filter && (
        <p className="muted">
          The chart shows this value alone. The lists show all queries, because counts are grouped
          by one property at a time.
        </p>
      )}
    </div>
  )
}
