/*
 * A zone as a master file (RFC 1035 §5): the SOA record first, then all records that DNS serves,
 * including users' names, in the canonical order of RFC 4034 §6.1.
 *
 * PostgreSQL sorts the zone and sends it as finished lines by COPY, so a zone of any size needs
 * little memory and is read in one snapshot: the file is the zone at the serial in its SOA record.
 * Labels are compared octet by octet, from the right, which equals a comparison of the names' text
 * unless a label contains an escaped octet. Such names are rare; they are sorted here and merged
 * into the stream.
 */
import { compareNames, nameFromText, soaSerial } from '@homing/dnsd/names'
import { Client } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { SCRIPT_LIMITS, sessionOptions } from '../../database/connection-limits.ts'
import type { ZoneRow } from '../rows.ts'
import { ZoneNotExportable } from './problems.ts'
import { soaToText } from './soa.ts'
import { zoneNameFrom } from './zone-name.ts'

const CHUNK_CHARACTERS = 64 * 1024

/** Lines of one zone; `plain` selects those without an escape in their owner name. */
const linesSql = (zoneId: string, plain: boolean) => `
  select owner || '. ' || ttl || ' IN ' || type || ' ' || line as line
  from dns_record cross join lateral unnest(rdata) as r(line)
  where zone_id = ${BigInt(zoneId)} and type is not null and ${plain ? 'not' : ''} owner like '%\\\\%'
  order by (
    select array_agg(label collate "C" order by n desc)
    from string_to_table(owner, '.') with ordinality as l(label, n)
  ), type collate "C", line collate "C"`

interface Line {
  readonly owner: Buffer
  readonly text: string
}

function asLine(text: string): Line {
  return { owner: nameFromText(text.slice(0, text.indexOf(' '))), text }
}

/** COPY's text format doubles backslashes; it escapes nothing else in a canonical line. */
const unescaped = (text: string) => text.replaceAll('\\\\', '\\')

async function* copiedLines(client: Client, sql: string): AsyncGenerator<string> {
  const stream = client.query(copyTo(`copy (${sql}) to stdout`)).setEncoding('utf8')
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield unescaped(line)
  }
}

/** Merges two sequences that are each in canonical order. */
async function* merged(lines: AsyncIterable<string>, rare: Line[]): AsyncGenerator<string> {
  for await (const text of lines) {
    let next = rare[0]
    while (next !== undefined && compareNames(next.owner, asLine(text).owner) < 0) {
      yield next.text
      rare.shift()
      next = rare[0]
    }
    yield text
  }
  for (const { text } of rare) yield text
}

async function* exportOn(client: Client, name: string): AsyncGenerator<string> {
  const found = await client.query<ZoneRow & { serial: string }>(
    'select z.*, s.serial from zones z join zone_serials s on s.zone_id = z.id where z.name = $1',
    [name],
  )
  const [zone] = found.rows
  if (zone === undefined) throw new ZoneNotExportable(name)
  const soa = soaToText(zone, soaSerial(BigInt(zone.serial)))
  yield `${name}. ${zone.soa_ttl} IN SOA ${soa}\n`
  const escaped = await client.query<{ line: string }>(linesSql(zone.id, false))
  const rare = escaped.rows
    .map(({ line }) => asLine(line))
    .toSorted((a, b) => compareNames(a.owner, b.owner))
  let text = ''
  for await (const line of merged(copiedLines(client, linesSql(zone.id, true)), rare)) {
    text += `${line}\n`
    if (text.length < CHUNK_CHARACTERS) continue
    yield text
    text = ''
  }
  yield text
}

/**
 * The zone's master file, in chunks.
 *
 * @throws ZoneNotExportable when the zone does not exist, NameError for an invalid name
 */
export async function* exportZone(databaseUrl: string, zone: string): AsyncGenerator<string> {
  const name = zoneNameFrom(zone)
  // A client instead of a pool: ending it also ends a COPY that is no longer read.
  const client = new Client({
    connectionString: databaseUrl,
    application_name: 'homing-zone-export',
    // A slow reader of the output holds a snapshot, but no lock that blocks others.
    options: sessionOptions({ ...SCRIPT_LIMITS, idleInTransactionMs: SCRIPT_LIMITS.statementMs }),
  })
  // A lost connection is reported twice: here, and by the query that it ends, whose error is
  // thrown.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('begin transaction isolation level repeatable read read only')
    yield* exportOn(client, name)
  } finally {
    await client.end()
  }
}
