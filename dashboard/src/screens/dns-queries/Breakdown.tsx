/** The queries of a period by one dimension. */
import { useQuery } from '@tanstack/react-query'
import { type QueryDimension, type QuerySeries, querySeriesQuery } from '../../api/dns-queries.ts'
import { flagOf } from '../../components/country-name.ts'
import { Place } from '../../components/Place.tsx'
import { BarList } from './BarList.tsx'
import { FigureTable } from './FigureTable.tsx'
import { LoadedSeries } from './LoadedSeries.tsx'
import { DIMENSION_NAMES, valueName } from './query-words.ts'
import { spanOf, type View, viewHash } from './view.ts'

/** In the order of the page. */
export const SHOWN_DIMENSIONS = [
  'type',
  'rcode',
  'country',
  'network',
  'transport',
  'family',
] as const satisfies readonly QueryDimension[]

interface BreakdownProps {
  readonly view: View
  readonly dimension: QueryDimension
}

const isCountry = (dimension: QueryDimension, value: string): boolean =>
  dimension === 'country' && flagOf(value) !== undefined

interface ValuesProps extends BreakdownProps {
  readonly values: QuerySeries['values']
}

function Values({ view, dimension, values }: ValuesProps) {
  const title = DIMENSION_NAMES[dimension]
  if (values.every(({ queries }) => queries === 0)) return <p className="muted">No queries.</p>
  const items = values.map((each) => {
    const { value, queries } = each
    const name = valueName(dimension, each)
    const isChosen = view.filter?.dimension === dimension && view.filter.value === value
    // The chosen one leads back to all.
    const filter = isChosen ? undefined : { dimension, value }
    return {
      key: value,
      name: isCountry(dimension, value) ? <Place country={value} /> : name,
      queries,
      href: viewHash({ ...view, filter }),
      isChosen,
    }
  })
  return (
    <>
      <BarList labelledBy={`queries-by-${dimension}`} items={items} />
      <FigureTable
        label={title}
        fileName={`dns-queries-by-${dimension}`}
        columns={[{ title }, { title: 'Queries' }]}
        rows={values.map((each) => [valueName(dimension, each), each.queries])}
      />
    </>
  )
}

export function Breakdown({ view, dimension }: BreakdownProps) {
  const { domainId } = view
  const query = useQuery(querySeriesQuery({ span: spanOf(view), domainId, dimension }))
  const id = `queries-by-${dimension}`
  return (
    <section className="card section-card" aria-labelledby={id}>
      <h2 id={id}>{DIMENSION_NAMES[dimension]}</h2>
      <LoadedSeries query={query}>
        {({ values }) => <Values view={view} dimension={dimension} values={values} />}
      </LoadedSeries>
    </section>
  )
}
