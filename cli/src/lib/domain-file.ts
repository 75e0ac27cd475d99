/** Files of domains: CSV or JSON, as `domains export` writes them. */
import { BATCH_LIMIT, csvRecords, type components } from '@homing/openapi/client'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'

type Schemas = components['schemas']
export type BatchOperation = Schemas['DomainBatch']['operations'][number]

export const EXPORT_FIELDS = [
  'domain',
  'zone',
  'ipv4',
  'ipv6',
  'status',
  'wildcard',
  'paused',
  'tags',
  'note',
  'ttl',
  'created_at',
  'last_update_at',
] as const satisfies readonly (keyof Schemas['ExportedDomain'])[]

/** A domain of a file. A field that the file does not have is undefined; an empty one is null. */
export interface FileRow {
  /** Of a CSV file the line, of a JSON file the number of the item; from 1. */
  readonly line: number
  readonly domain: string
  readonly zone?: string | null
  readonly ipv4?: string | null
  readonly ipv6?: string | null
}

const failure = (message: string) => new CommandFailure(EXIT.refused, message)

/** @throws CommandFailure for a field that no domain has, and for a row without a domain */
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
  const rest = { zone: text('zone'), ipv4: text('ipv4'), ipv6: text('ipv6') }
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

/**
 * The domains of a file. A file that begins with `[` or `{` is JSON.
 *
 * @throws CommandFailure that names the line
 */
export function rowsOf(text: string): FileRow[] {
  const rows = /^\uFEFF?\s*[[{]/.test(text) ? jsonRows(text) : csvRows(text)
  if (rows.length === 0) throw failure('The file has no domains.')
  if (rows.length <= BATCH_LIMIT) return rows
  throw failure(`The file has ${rows.length} domains. Import at most ${BATCH_LIMIT} at once.`)
}

/** The operation that makes a domain as its row says. @param owned the names of the domains that the account has */
export function operationOf(row: FileRow, owned: ReadonlySet<string>): BatchOperation {
  const { domain, zone, ipv4, ipv6 } = row
  const addresses = {
    ...(ipv4 === undefined ? {} : { record_ipv4: ipv4 }),
    ...(ipv6 === undefined ? {} : { record_ipv6: ipv6 }),
  }
  if (owned.has(domain.toLowerCase())) return { op: 'change', fqdn: domain, ...addresses }
  return { op: 'create', fqdn: domain, ...(zone ? { zone } : {}), ...addresses }
}
