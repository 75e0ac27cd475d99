/*
 * Reads a whole zone: its version and all of its names, in one short transaction, so that both are
 * consistent. The new zone is built separately; the current one is served until the new one is complete.
 *
 * Rows come unordered, because sorting a million of them would cost more than anything else here. The
 * zone itself groups the RRsets of a name.
 */
import type { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { nameKey, nameToText } from '../../names/index.ts'
import type { ZoneTable } from '../../table/index.ts'
import { type OwnerState, OwnerStateError, type RRset, Zone } from '../../zone/index.ts'
import { publishedAt } from '../published.ts'
import { WorkSlice } from '../work-slice.ts'
import type { FeedConnection } from './connection.ts'
import { addAddressRow } from './address-row.ts'
import { CopyFormatError, CopyRows, readRow, type RecordRow } from './copy-rows.ts'
import { type OnSkipped, servable, servedOwner, servedRRset } from './served-rows.ts'
import { absolute, soaOf, versionOf, ZONE_COLUMNS, type ZoneRow } from './zone-row.ts'

// How long the server may be silent before the connection is dropped.
const SILENCE_LIMIT_MS = 10_000

/** The zone's own name or SOA cannot be served. */
export class UnservableZone extends Error {
  readonly zone: string
  readonly token: string

  constructor({ name, token }: ZoneRow, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'UnservableZone'
    this.zone = name
    this.token = token
  }
}

/**
 * Reads a zone. The connection is dropped when PostgreSQL falls silent.
 *
 * @param table for the zone's names
 * @param skippedIn returns, for a zone name, the listener for skipped rows
 * @returns undefined when the zone no longer exists
 * @throws UnservableZone; or PostgreSQL's error, after which the connection is unusable
 */
export async function readZone(
  connection: FeedConnection,
  zoneId: string,
  skippedIn: (zone: string) => OnSkipped,
  table: ZoneTable,
): Promise<Zone | undefined> {
  const silence = setTimeout(() => connection.drop(), SILENCE_LIMIT_MS)
  const { client } = connection
  try {
    await client.query('begin transaction isolation level repeatable read, read only')
    const found = await client.query<ZoneRow>(
      `select z.zone_id, ${ZONE_COLUMNS} from dns_zone z where z.zone_id = $1`,
      [zoneId],
    )
    const [row] = found.rows
    if (row === undefined) return undefined
    const zone = emptyZone(row, table)
    try {
      await copyRecords(client, zoneId, zone, { silence, onSkipped: skippedIn(row.name) })
    } catch (error) {
      void zone.discard()
      throw error
    }
    return zone
  } finally {
    clearTimeout(silence)
    await client.query('rollback').catch(() => connection.drop())
  }
}

function emptyZone(row: ZoneRow, table: ZoneTable): Zone {
  try {
    return new Zone(absolute(row.name), versionOf(row), soaOf(row), table)
  } catch (error) {
    throw new UnservableZone(row, error)
  }
}

async function copyRecords(
  client: Client,
  zoneId: string,
  zone: Zone,
  { silence, onSkipped }: { silence: NodeJS.Timeout; onSkipped: OnSkipped },
): Promise<void> {
  // COPY takes no parameters; BigInt accepts only a number.
  const records = `select owner, type, ttl, rdata from dns_record where zone_id = ${BigInt(zoneId)}`
  zone.expect(await expectedRows(client, records))
  const stream = client.query(copyTo(`copy (${records}) to stdout (format binary)`))
  const rows = new CopyRows()
  const slice = new WorkSlice()
  const others: RecordRow[] = []
  for await (const piece of stream) {
    silence.refresh()
    rows.push(piece as Buffer)
    while (addSome(zone, rows, others)) if (slice.isOver) await slice.rest()
    addRows(zone, others.splice(0), onSkipped)
    if (slice.isOver) await slice.rest()
  }
  if (!rows.isOver) throw new CopyFormatError('it ended early')
}

// Above this, memory is allocated as needed.
const EXPECTED_LIMIT = 4_000_000

/**
 * PostgreSQL's estimate of a query's row count. Counting the rows would take as long as reading half of
 * them.
 */
async function expectedRows(client: Client, query: string): Promise<number> {
  const { rows } = await client.query<{
    'QUERY PLAN': readonly [{ Plan: { 'Plan Rows': number } }]
  }>(`explain (format json) ${query}`)
  const expected = rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
  return Math.min(expected, EXPECTED_LIMIT)
}

// The number of rows between two clock readings.
const ROWS_PER_PART = 200

/**
 * Adds the rows that the fast path supports.
 *
 * @param others gets the rows that it does not support
 * @returns whether there may be more
 */
function addSome(zone: Zone, rows: CopyRows, others: RecordRow[]): boolean {
  for (let count = 0; count < ROWS_PER_PART; count++) {
    const at = rows.next()
    if (at < 0) return false
    if (!addAddressRow(zone, rows.octets, at)) others.push(readRow(rows.octets, at))
  }
  return true
}

/** Adds rows of any kind. Rows that cannot be served are reported and skipped. */
export function addRows(zone: Zone, rows: readonly RecordRow[], onSkipped: OnSkipped): void {
  const byKey = new Map<string, { owner: Buffer; rrsets: RRset[] }>()
  for (const { owner: text, set } of rows) {
    const owner = servedOwner(text, onSkipped)
    if (owner === undefined) continue
    const key = nameKey(owner)
    let state = byKey.get(key)
    if (state === undefined) {
      state = { owner, rrsets: [...(publishedAt(zone, key) ?? [])] }
      byKey.set(key, state)
    }
    const rrset = set === undefined ? undefined : servedRRset(text, set, onSkipped)
    if (rrset !== undefined) state.rrsets.push(rrset)
  }
  addStates(zone, [...byKey.values()], onSkipped)
}

function addStates(zone: Zone, states: readonly OwnerState[], onSkipped: OnSkipped): void {
  try {
    zone.apply(states, zone.version)
  } catch (error) {
    if (!(error instanceof OwnerStateError)) throw error
    const told = (owner: Buffer, reason: string): void => onSkipped(nameToText(owner), reason)
    const kept = states.map((state) => servable(zone.key, state, told))
    zone.apply(
      kept.filter((state) => state !== undefined),
      zone.version,
    )
  }
}
