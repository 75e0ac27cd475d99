/**
 * Stores calls in two ring buffers for each name, whose places are overwritten. So a name takes
 * bounded space however many calls it gets, and a new call needs no deletion. A transaction that
 * writes a name's calls locks the row of its rings.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { type CallEntry, isAccepted, isSameCall, plainCall } from './call-log-buffer.ts'

/** Size of each ring: for the owner's calls, and for those of others. */
export const RING_PLACES = { owned: 50, refused: 10 } as const

/** Announces stored calls to the live streams of all replicas: the ids of their domains, with commas between them. */
export const UPDATE_CALLS_CHANNEL = 'update_calls'
/** Maximum number of ids in a notification, which may have 8,000 octets. */
const NOTIFIED_IDS = 400

/** Maximum of a PostgreSQL integer. A client that floods a name reaches it within days. */
const TIMES_LIMIT = 2_147_483_647

type RingName = keyof typeof RING_PLACES

interface Rings {
  readonly domain_id: string
  readonly fqdn: string
  /** The number of the newest call of each ring; 0 before the first. */
  owned: string
  refused: string
  /** The last update among the calls that are being stored. */
  acceptedAt?: Date
}

interface StoredCall {
  readonly domain_id: string
  readonly is_refused: boolean
  readonly number: string
  readonly times: number
  readonly first_at: Date
  readonly source_ip: string
  readonly client: string | null
  readonly dialect: string
  readonly path: string
  readonly said: string
  readonly answer: string
  readonly hint: string | null
}

/** A call with its place. */
interface PlacedCall extends CallEntry {
  readonly domainId: string
  readonly number: number
}

const ringOf = ({ isOwners }: Pick<CallEntry, 'isOwners'>): RingName =>
  isOwners ? 'owned' : 'refused'

const placeOf = (number: number, ring: RingName) => number % RING_PLACES[ring]

/** The rings of names, locked; nonexistent names are missing. */
async function lockRings(trx: Knex.Transaction, fqdns: readonly string[]): Promise<Rings[]> {
  await query(
    trx,
    `insert into update_call_rings (domain_id)
     select id from domains where fqdn = any (?::text[]) and not is_wildcard order by id
     on conflict do nothing`,
    [fqdns],
  )
  return query<Rings>(
    trx,
    `select r.domain_id, d.fqdn, r.owned, r.refused
     from update_call_rings r join domains d on d.id = r.domain_id
     where d.fqdn = any (?::text[]) and not d.is_wildcard
     order by r.domain_id for update of r`,
    [fqdns],
  )
}

/** The newest call of each ring, by `domain ring`. */
async function newestCalls(
  trx: Knex.Transaction,
  rings: readonly Rings[],
): Promise<Map<string, StoredCall>> {
  const rows = await query<StoredCall>(
    trx,
    `select c.domain_id, c.is_refused, c.number, c.times, c.first_at, host(c.source_ip) as source_ip,
            c.client, c.dialect, c.path, c.said, c.answer, c.hint
     from update_call_rings r
     join update_calls c on c.domain_id = r.domain_id and c.place = case
       when c.is_refused then r.refused % ${RING_PLACES.refused} else r.owned % ${RING_PLACES.owned} end
     where r.domain_id = any (?::bigint[])`,
    [rings.map(({ domain_id }) => domain_id)],
  )
  return new Map(
    rows.map((row) => [`${row.domain_id} ${row.is_refused ? 'refused' : 'owned'}`, row]),
  )
}

/** Gives each call its number. A call that repeats the newest one is merged into it. */
function placeCalls(
  calls: readonly CallEntry[],
  rings: readonly Rings[],
  newest: ReadonlyMap<string, StoredCall>,
): PlacedCall[] {
  const ringsOf = new Map(rings.map((each) => [each.fqdn, each]))
  const placed = new Map<string, PlacedCall>()
  for (const call of calls) {
    const of = ringsOf.get(call.fqdn)
    if (of === undefined) continue
    if (isAccepted(call)) of.acceptedAt = call.lastAt
    const ring = ringOf(call)
    const stored = newest.get(`${of.domain_id} ${ring}`)
    const isFirst = stored?.number === of[ring]
    if (
      stored !== undefined &&
      isFirst &&
      isSameCall({ ...stored, sourceIp: stored.source_ip }, call)
    ) {
      placed.set(`${of.domain_id} ${ring} ${of[ring]}`, {
        ...call,
        domainId: of.domain_id,
        number: Number(of[ring]),
        at: stored.first_at,
        times: Math.min(stored.times + call.times, TIMES_LIMIT),
      })
      continue
    }
    const number = Number(of[ring]) + 1
    of[ring] = String(number)
    placed.set(`${of.domain_id} ${ring} ${number}`, { ...call, domainId: of.domain_id, number })
  }
  return [...placed.values()]
}

// As one JSON text: JavaScript would convert arrays of columns value by value, which costs more than everything else.
const WRITE = `
  insert into update_calls (domain_id, is_refused, place, number, times, first_at, last_at, source_ip, client,
                            dialect, path, said, answer, hint)
  select * from json_to_recordset(?::json) as c(
    domain_id bigint, is_refused boolean, place smallint, number bigint, times int, first_at timestamptz,
    last_at timestamptz, source_ip inet, client text, dialect text, path text, said text, answer text, hint text)
  on conflict (domain_id, is_refused, place) do update set
    number = excluded.number, times = excluded.times, first_at = excluded.first_at, last_at = excluded.last_at,
    source_ip = excluded.source_ip, client = excluded.client, dialect = excluded.dialect, path = excluded.path,
    said = excluded.said, answer = excluded.answer, hint = excluded.hint`

function rowOf(call: PlacedCall) {
  const { client, dialect, path, said, answer, hint, times, number } = call
  return {
    domain_id: call.domainId,
    is_refused: !call.isOwners,
    place: placeOf(number, ringOf(call)),
    number,
    times,
    first_at: call.at,
    last_at: call.lastAt,
    source_ip: call.sourceIp,
    client,
    dialect,
    path,
    said,
    answer,
    hint,
  }
}

async function writeRings(trx: Knex.Transaction, rings: readonly Rings[]): Promise<void> {
  await query(
    trx,
    `update update_call_rings r
     set owned = n.owned, refused = n.refused, accepted_at = greatest(r.accepted_at, n.accepted_at)
     from unnest(?::bigint[], ?::bigint[], ?::bigint[], ?::timestamptz[]) as n(domain_id, owned, refused, accepted_at)
     where r.domain_id = n.domain_id`,
    [
      rings.map(({ domain_id }) => domain_id),
      rings.map(({ owned }) => owned),
      rings.map(({ refused }) => refused),
      rings.map(({ acceptedAt }) => acceptedAt?.toISOString() ?? null),
    ],
  )
}

// Not in the transactions of updates: their commits would wait for each other. This one does not wait for the disk.
async function announceCalls(trx: Knex.Transaction, domainIds: readonly string[]): Promise<void> {
  for (let sent = 0; sent < domainIds.length; sent += NOTIFIED_IDS) {
    const payload = domainIds.slice(sent, sent + NOTIFIED_IDS).join(',')
    await query(trx, 'select pg_notify(?, ?)', [UPDATE_CALLS_CHANNEL, payload])
  }
}

/**
 * Stores calls in one transaction, and skips those for nonexistent names.
 *
 * @param entries calls of a name in order of arrival, at most as many of one name as a ring has places
 * @throws Error of PostgreSQL
 */
export async function storeCalls(knex: Knex, entries: readonly CallEntry[]): Promise<void> {
  const calls = entries.map(plainCall)
  await knex.transaction(async (trx) => {
    // A crash may lose a second of the log. Waiting for the disk would slow down updates.
    await query(trx, 'set local synchronous_commit = off')
    const rings = await lockRings(trx, [...new Set(calls.map(({ fqdn }) => fqdn))])
    if (rings.length === 0) return
    const placed = placeCalls(calls, rings, await newestCalls(trx, rings))
    await query(trx, WRITE, [JSON.stringify(placed.map(rowOf))])
    await writeRings(trx, rings)
    await announceCalls(trx, [...new Set(placed.map(({ domainId }) => domainId))])
  })
}
