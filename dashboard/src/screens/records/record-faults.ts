/** What the service says about a record, by the field of the form that shows it. */
import { ApiProblem } from '../../api/problem.ts'

export interface RecordFaults {
  readonly owner?: string
  readonly type?: string
  readonly ttl?: string
  /** By the position of the value. */
  readonly values: ReadonlyMap<number, string>
  /** What no field shows. */
  readonly rest?: ApiProblem
}

const NO_FAULTS: RecordFaults = { values: new Map() }

/** Refusals of the owner name, whether or not they name the field. */
const OF_OWNER = ['record-exists', 'record-not-allowed']

/** `values.1` and `values.1.text` are about the second value; `values` is about the first. */
function valueFaults(problem: ApiProblem): ReadonlyMap<number, string> {
  const faults = new Map<number, string>()
  for (const { field, message } of problem.fields) {
    const [, at] = /^values(?:[./](\d+))?/.exec(field) ?? []
    if (!field.startsWith('values')) continue
    const place = Number(at ?? 0)
    const before = faults.get(place)
    faults.set(place, before === undefined ? message : `${before} ${message}`)
  }
  return faults
}

/** @param error undefined and other errors than refusals of the service have no faults */
export function faultsOf(error: unknown): RecordFaults {
  if (!(error instanceof ApiProblem) || error.isHint) return NO_FAULTS
  const values = valueFaults(error)
  const [owner, type, ttl] = [error.of('owner'), error.of('type'), error.of('ttl')]
  const isAtField = values.size > 0 || (owner ?? type ?? ttl) !== undefined
  if (!isAtField && OF_OWNER.includes(error.code)) return { owner: error.message, values }
  return {
    ...(owner !== undefined && { owner }),
    ...(type !== undefined && { type }),
    ...(ttl !== undefined && { ttl }),
    values,
    ...(!isAtField && { rest: error }),
  }
}
