/** Files of domains: the CSV or JSON of an export, read for an import. The CLI and the dashboard share it. */
import { csvRecords } from './csv.ts'
import type { components } from './types.gen.ts'
import { BATCH_LIMIT } from './vocabulary.ts'

type Schemas = components['schemas']
export type BatchOperation = Schemas['DomainBatch']['operations'][number]

/** The columns, in the order of an export. A type makes the list complete. */
const COLUMNS: { readonly [Name in keyof Schemas['ExportedDomain']]: true } = {
  domain: true,
  zone: true,
  ipv4: true,
  ipv6: true,
  status: true,
  wildcard: true,
  paused: true,
  tags: true,
  note: true,
  ttl: true,
  created_at: true,
  last_update_at: true,
}

export const EXPORT_FIELDS = Object.keys(COLUMNS) as readonly (keyof typeof COLUMNS)[]

/** A domain of a file. A field that the file does not have is undefined; an empty one is null. */
export interface FileRow {
  /** Of a CSV file the line, of a JSON file the number of the item; from 1. */
  readonly line: number
  readonly domain: string
  readonly zone?: string | null
  readonly ipv4?: string | null
  readonly ipv6?: string | null
  readonly note?: string | null
  /** Undefined: the file does not have the column. */
  readonly tags?: readonly string[]
}

/** A file that cannot be imported. The message names the line. */
export class FileFault extends Error {
  override name = 'FileFault'
}

const failure = (message: string) => new FileFault(message)

const tagsOf = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

/** @throws FileFault for a field that no domain has, and for a row without a domain */
function rowOf(line: number, fields: Readonly<Record<string, unknown>>): FileRow {
  const unknown = Object.keys(fields).find((name) => !EXPORT_FIELDS.some((each) => each === name))
  if (unknown !== undefined) {
    throw failure(
      `Line ${line}: unknown field "${unknown}". Expected: ${EXPORT_FIELDS.join(', ')}.`,
    )
  }
  const text = (name: string) => {
    const value = fields[name]
    if (value === undefined || value === null) return value
    if (typeof value === 'string') return value.trim() === '' ? null : value.trim()
    throw failure(`Line ${line}: ${name} must be a text.`)
  }
  const domain = text('domain')
  if (!domain) throw failure(`Line ${line}: domain is missing.`)
  const tags = text('tags')
  const rest = {
    zone: text('zone'),
    ipv4: text('ipv4'),
    ipv6: text('ipv6'),
    note: text('note'),
    tags: tags === undefined ? undefined : tagsOf(tags ?? ''),
  }
  const given = Object.entries(rest).filter(([, value]) => value !== undefined)
  return { line, domain, ...Object.fromEntries(given) }
}

function jsonRows(text: string): FileRow[] {
  let items: unknown
  try {
    items = JSON.parse(text)
  } catch {
    throw failure('The file is not valid JSON.')
  }
  if (!Array.isArray(items)) throw failure('The file must be a JSON array of domains.')
  return items.map((item: unknown, n) => {
    if (typeof item !== 'object' || item === null) throw failure(`Item ${n + 1} is not an object.`)
    return rowOf(n + 1, { ...item })
  })
}

function csvRows(text: string): FileRow[] {
  let records: ReturnType<typeof csvRecords>
  try {
    records = csvRecords(text)
  } catch (error) {
    throw failure(`The file is not valid CSV: ${(error as Error).message}.`)
  }
  const [head, ...lines] = records
  const names = head?.cells.map((cell) => cell.trim().toLowerCase()) ?? []
  if (!names.includes('domain')) {
    throw failure('The first line must name the columns, one of which is "domain".')
  }
  return lines.map(({ line, cells }) => {
    if (cells.length > names.length) throw failure(`Line ${line} has too many cells.`)
    return rowOf(line, Object.fromEntries(names.map((name, n) => [name, cells[n] ?? ''])))
  })
}

/** A line without columns: a domain, and then at most one address of each family. */
function plainRow(line: number, text: string): FileRow {
  const [domain = '', ...addresses] = text.split(/[\s,;]+/).filter((part) => part !== '')
  const ipv6 = addresses.filter((address) => address.includes(':'))
  const ipv4 = addresses.filter((address) => !address.includes(':'))
  if (ipv4.length > 1 || ipv6.length > 1) {
    throw failure(
      `Line ${line} has two addresses of one family. Write the domain, then one IPv4 and one IPv6 address.`,
    )
  }
  return { line, domain, ...(ipv4[0] && { ipv4: ipv4[0] }), ...(ipv6[0] && { ipv6: ipv6[0] }) }
}

const plainRows = (text: string): FileRow[] =>
  text.split(/\r\n|\n|\r/).flatMap((each, n) => (each.trim() === '' ? [] : [plainRow(n + 1, each)]))

const isJson = (text: string) => /^\uFEFF?\s*[[{]/.test(text)

/** Whether the first line names the columns. */
const hasColumns = (text: string) =>
  /^\uFEFF?\s*([^\r\n]*,)?\s*"?domain"?\s*(,|[\r\n]|$)/i.test(text)

/**
 * The domains of a file. A file that begins with `[` or `{` is JSON.
 *
 * @throws FileFault that names the line
 */
export function rowsOf(text: string): FileRow[] {
  return limited(isJson(text) ? jsonRows(text) : csvRows(text))
}

/**
 * The domains of a file, or of pasted lines without columns: `home.example.net 192.0.2.1`.
 *
 * @throws FileFault that names the line
 */
export function pastedRowsOf(text: string): FileRow[] {
  return isJson(text) || hasColumns(text) ? rowsOf(text) : limited(plainRows(text))
}

/** @throws FileFault for no domain, and for more than a batch can have */
function limited(rows: FileRow[]): FileRow[] {
  if (rows.length === 0) throw failure('The file has no domains.')
  if (rows.length <= BATCH_LIMIT) return rows
  throw failure(`The file has ${rows.length} domains. Import at most ${BATCH_LIMIT} at once.`)
}

/** A name as the service stores it. Browsers run this too, so it has `URL` for Unicode instead of a module of Node. */
function canonicalName(typed: string): string {
  const name = typed.toLowerCase().replace(/\.$/, '')
  return /\P{ASCII}/u.test(name) ? (URL.parse(`http://${name}`)?.hostname ?? name) : name
}

/** The full name of a row, as the service stores it. With a zone, the domain can be its label below the zone. */
function fullNameOf({ domain, zone }: FileRow): string {
  const name = canonicalName(domain)
  if (!zone) return name
  const apex = canonicalName(zone)
  return name === apex || name.endsWith(`.${apex}`) ? name : `${name}.${apex}`
}

/** The operation that makes a domain as its row says. @param owned the names of the domains that the account has */
export function operationOf(row: FileRow, owned: ReadonlySet<string>): BatchOperation {
  const { domain, zone, ipv4, ipv6, note, tags } = row
  const values = {
    ...(ipv4 === undefined ? {} : { record_ipv4: ipv4 }),
    ...(ipv6 === undefined ? {} : { record_ipv6: ipv6 }),
    ...(note === undefined ? {} : { note }),
    ...(tags === undefined ? {} : { tags: [...tags] }),
  }
  const fqdn = fullNameOf(row)
  if (owned.has(fqdn)) return { op: 'change', fqdn, ...values }
  return { op: 'create', fqdn: domain, ...(zone ? { zone } : {}), ...values }
}
