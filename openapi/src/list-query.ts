/** Parameters of lists, in the form of react-admin's ra-data-simple-rest: JSON texts in the query. */
import { Type } from 'typebox'

export interface ListParameters {
  /** Fields by which the list can be sorted. */
  readonly sort: readonly string[]
  /** Fields by which it can be filtered, and the values of each. */
  readonly filter: Readonly<Record<string, string>>
}

/** Longest `sort`, `range` or `filter`, in characters. */
const PARAMETER_LIMIT = 4096

const json = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: PARAMETER_LIMIT, description, examples: [example] }))

/** The query of a list operation. */
export function listQuery({ sort, filter }: ListParameters) {
  const filters = Object.entries(filter).map(([name, takes]) => `\`${name}\` (${takes})`)
  return Type.Object({
    sort: json(
      `A field and ASC or DESC. Fields: ${sort.map((name) => `\`${name}\``).join(', ')}.`,
      `["${sort[0] ?? 'id'}","ASC"]`,
    ),
    range: json('The first and the last item to return, counted from 0.', '[0,24]'),
    filter: json(`Any of: ${filters.join(', ')}.`, `{"${Object.keys(filter)[0] ?? 'id'}":""}`),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, description: 'The maximum number of items.' }),
    ),
  })
}
