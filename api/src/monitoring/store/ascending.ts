/** Distinct ids in the order in which rows are locked. */
export const ascending = (ids: Iterable<string>): string[] =>
  [...new Set(ids)].toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
