/** The period and the part of the queries that a command reports, as flags. */
import type { ApiClient } from './client.ts'
import {
  QUERY_DIMENSIONS,
  type QueryDimension,
  QUERY_RESOLUTIONS,
  type QueryResolution,
} from '@homing/openapi/vocabulary'
import * as Flags from '@oclif/core/flags'
import { findDomain } from './domains.ts'
import { instantOf, lengthMs } from './times.ts'

const RESOLUTIONS = Object.keys(QUERY_RESOLUTIONS) as readonly QueryResolution[]

export const periodFlags = {
  from: Flags.string({
    description: 'when it begins; without it, a day before its end',
    helpValue: 'TIME',
  }),
  to: Flags.string({ description: 'when it ends; without it, now', helpValue: 'TIME' }),
  last: Flags.string({
    description: 'how long it is, such as 6h or 30d, instead of --from',
    helpValue: 'LENGTH',
    exclusive: ['from'],
  }),
  resolution: Flags.option({
    description: 'the length of its parts; 5m goes back 2 days, 1h 35 days, 1d 400 days',
    options: RESOLUTIONS,
  })(),
  by: Flags.option({
    description: 'group the queries by this dimension',
    options: QUERY_DIMENSIONS,
  })(),
}

interface PeriodFlags {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly last?: string | undefined
  readonly resolution?: QueryResolution | undefined
  readonly by?: QueryDimension | undefined
}

/** The parameters of a call about a period. */
interface PeriodQuery {
  readonly from?: string
  readonly to?: string
  readonly resolution?: QueryResolution
  readonly dimension?: QueryDimension
  readonly domain_id?: string
}

/**
 * The parameters that the flags give. Times without an offset are in the time zone of this machine.
 *
 * @throws CommandFailure for a time or a length that cannot be read
 */
export function periodOf(
  { from, to, last, resolution, by }: PeriodFlags,
  now: number,
): PeriodQuery {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const end = to === undefined ? undefined : instantOf('--to', to, timeZone)
  const begin =
    last !== undefined
      ? new Date((end?.getTime() ?? now) - lengthMs('--last', last))
      : from === undefined
        ? undefined
        : instantOf('--from', from, timeZone)
  return {
    ...(begin !== undefined && { from: begin.toISOString() }),
    ...(end !== undefined && { to: end.toISOString() }),
    ...(resolution !== undefined && { resolution }),
    ...(by !== undefined && { dimension: by }),
  }
}

/** The most lines of a series that people read. */
const LINES = 60
const DAY_MS = 86_400_000

/**
 * The finest parts of a period that people can read, and that the service still has.
 *
 * @param now milliseconds
 */
export function readableResolution({ from, to }: PeriodQuery, now: number): QueryResolution {
  const end = to === undefined ? now : Date.parse(to)
  const begin = from === undefined ? end - DAY_MS : Date.parse(from)
  const fitting = RESOLUTIONS.find((resolution) => {
    const { seconds, keptDays } = QUERY_RESOLUTIONS[resolution]
    return end - begin <= LINES * seconds * 1_000 && now - begin < keptDays * DAY_MS
  })
  return fitting ?? '1d'
}

/** Adds one of the caller's domains to the parameters, if one is given. @throws CommandFailure as `findDomain` */
export async function ofDomain(
  api: ApiClient,
  query: PeriodQuery,
  name: string | undefined,
): Promise<PeriodQuery> {
  if (name === undefined) return query
  const { id } = await findDomain(api, name)
  return { ...query, domain_id: id }
}
