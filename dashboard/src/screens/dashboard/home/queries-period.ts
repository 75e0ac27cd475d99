/** The period of the card DNS Queries. It is part of the URL: `#dashboard?queries=7d`. */
import { hashOf, placeOf, putHash } from '../../../routes.ts'
import { SUMMARY_PERIODS, type SummaryPeriod } from '../../dns-queries/trend-words.ts'

const NAME = 'queries'
const [START] = SUMMARY_PERIODS

const parametersAt = (hash: string) => new URLSearchParams(placeOf(hash)?.query)

export function queriesPeriodAt(hash: string): SummaryPeriod {
  const wanted = parametersAt(hash).get(NAME)
  return SUMMARY_PERIODS.find((period) => period === wanted) ?? START
}

const parametersOf = (period: SummaryPeriod): Record<string, string> =>
  period === START ? {} : { [NAME]: period }

/** The parameters of the period, for a URL that changes something else. */
export const queriesPeriodParameters = (hash: string): Record<string, string> =>
  parametersOf(queriesPeriodAt(hash))

/** Adds no entry to the history. */
export function chooseQueriesPeriod(period: SummaryPeriod): void {
  const place = placeOf(location.hash)
  if (place === undefined) return
  const parameters = parametersAt(location.hash)
  parameters.delete(NAME)
  const all = { ...Object.fromEntries(parameters), ...parametersOf(period) }
  putHash('replaceState', hashOf(place.screen, all, place.argument), history.state)
}
