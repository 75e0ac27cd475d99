/** Numbers of queries, as this program shows them to people. */

const figures = new Intl.NumberFormat('en')

/** `1,840`. */
export const figure = (queries: number): string => figures.format(queries)

/** The title of a column of numbers. */
export const QUERIES = 'QUERIES'

/** The numbers of a column, right-aligned also below its title. */
export function column(numbers: readonly number[]): (queries: number) => string {
  const width = Math.max(QUERIES.length, ...numbers.map((number) => figure(number).length))
  return (queries) => figure(queries).padStart(width)
}

/** `+4.2 %`, `-3 %`. @param percent null: there is no earlier data */
export const changeText = (percent: number | null): string =>
  percent === null ? 'no earlier data' : `${percent > 0 ? '+' : ''}${percent} %`

/** The change against an earlier number in percent, with one decimal. Null: there is nothing to compare with. */
export function changeOf(queries: number, before: number | null): number | null {
  if (before === null || before === 0) return null
  return Math.round(((queries - before) / before) * 1_000) / 10
}

/** The longest bar, in characters. */
const BAR_LENGTH = 20

/** A bar of up to 20 characters, beside a number. One query shows. */
export function bar(queries: number, largest: number): string {
  if (queries <= 0) return ''
  return '█'.repeat(Math.max(1, Math.round((queries / largest) * BAR_LENGTH)))
}
