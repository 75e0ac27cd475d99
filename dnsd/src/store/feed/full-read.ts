/*
 * Reading a zone as a whole: its version and all of its names from one short transaction, so that both
 * are of the same moment. The zone is built aside; the one that is served stays until this one is whole.
 *
 * Rows come in no order, because sorting a million of them would cost more than anything else here. The
 * zone itself is what gathers the RRsets of a name.
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

// How long nothing may come before the server is given up.
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
 * @param table where its names are to be
 * @param skippedIn given the zone's name, says whom to tell of rows that are left out
 * @returns undefined when the zone is not there any more
 * @throws UnservableZone; PostgreSQL's error, after which the connection is of no more use
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
  // COPY takes no parameters; BigInt lets nothing but a number through.
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

// Beyond this the room is made as it is needed.
const EXPECTED_LIMIT = 4_000_000

/**
 * About how many rows a query gives, as PostgreSQL plans it: counting them would take as long as reading
 * half of them.
 */
async function expectedRows(client: Client, query: string): Promise<number> {
  const { rows } = await client.query<{
    'QUERY PLAN': readonly [{ Plan: { 'Plan Rows': number } }]
  }>(`explain (format json) ${query}`)
  const expected = rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
  return Math.min(expected, EXPECTED_LIMIT)
}

// What is done between two looks at the clock.
const ROWS_PER_PART = 200

/**
 * Adds rows that can be added quickly.
 *
 * @param others the rows that cannot
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

/** Adds rows of any kind. What cannot be served is told of and left out. */
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
