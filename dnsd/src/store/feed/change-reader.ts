/*
 * Reads change sets, with one indexed statement for a zone on a permanent connection, because every
 * update reaches DNS in this way. It reads complete sets (`with ties` never cuts the last one) and, from
 * the same snapshot, the current version and SOA of the zone.
 */
import type { Client } from 'pg'
import { nameToText } from '../../names/index.ts'
import type { OwnerState, SoaParameters, Zone, ZoneVersion } from '../../zone/index.ts'
import { WorkSlice } from '../work-slice.ts'
import type { NewChangeSet } from '../zone-store.ts'
import { type OnSkipped, type RRsetRow, servable, servedOwner, servedRRset } from './served-rows.ts'
import { sameSoa, soaOf, versionOf, ZONE_COLUMNS, type ZoneRow } from './zone-row.ts'

// A few milliseconds of work. The sets of one result are written to the log together.
const ROWS_AT_ONCE = 2_000

// The upper limit leaves nothing out, because each serial has a row and at most one is skipped
// (`nextSerial`). It limits every query plan to a short range of the index, however much has been
// published since.
const READ_CHANGES = {
  name: 'read-changes',
  text: `
    select z.zone_id, ${ZONE_COLUMNS}, c.serial as set_serial, c.owner, c.rrsets,
           c.token as set_token, c.previous_token
    from dns_zone z
    left join lateral (
      select serial, owner, rrsets, token, previous_token from dns_change
      where zone_id = z.zone_id and serial > $2::bigint and serial <= $2::bigint + ${ROWS_AT_ONCE + 1}
      order by serial fetch first ${ROWS_AT_ONCE} rows with ties
    ) c on true
    where z.zone_id = $1
    order by c.serial`,
}

interface ChangeRow extends ZoneRow {
  /** Null, like all following fields, when there is no newer set. */
  readonly set_serial: string | null
  readonly owner: string
  readonly rrsets: readonly RRsetRow[] | null
  readonly set_token: string
  readonly previous_token: string
}

/** The published state of a zone. */
export interface ChangesRead {
  /** The current version of the zone. */
  readonly present: ZoneVersion
  /** The next sets in order. There may be more. */
  readonly sets: readonly NewChangeSet[]
}

/**
 * Reads the sets after the loaded version.
 *
 * @returns undefined when the zone no longer exists
 */
export async function readChanges(
  client: Client,
  zoneId: string,
  zone: Zone,
  onSkipped: OnSkipped,
): Promise<ChangesRead | undefined> {
  const { rows } = await client.query<ChangeRow>({
    ...READ_CHANGES,
    values: [zoneId, String(zone.version.serial)],
  })
  const [first] = rows
  if (first === undefined) return undefined
  const present = versionOf(first)
  const slice = new WorkSlice()
  const sets: NewChangeSet[] = []
  for (const ofSet of setsOf(rows)) {
    sets.push(changeSet(zone, ofSet, onSkipped))
    if (slice.isOver) await slice.rest()
  }
  const last = sets.at(-1)
  if (last === undefined || last.version.serial !== present.serial) return { present, sets }
  // The SOA's fields have no history: they belong to the newest set.
  const soa = changedSoa(zone, first, onSkipped)
  return { present, sets: soa === undefined ? sets : [...sets.slice(0, -1), { ...last, soa }] }
}

function* setsOf(rows: readonly ChangeRow[]): Generator<ChangeRow[]> {
  let ofSet: ChangeRow[] = []
  for (const row of rows) {
    if (row.set_serial === null) return
    if (ofSet[0] !== undefined && ofSet[0].set_serial !== row.set_serial) {
      yield ofSet
      ofSet = []
    }
    ofSet.push(row)
  }
  if (ofSet.length > 0) yield ofSet
}

function changeSet(zone: Zone, rows: readonly ChangeRow[], onSkipped: OnSkipped): NewChangeSet {
  const [first] = rows
  if (first === undefined) throw new RangeError('a change set has no rows')
  const told = (owner: Buffer, reason: string): void => onSkipped(nameToText(owner), reason)
  const changes = rows.flatMap((row) => {
    const state = ownerState(row, onSkipped)
    return (state && servable(zone.key, state, told)) ?? []
  })
  return {
    version: {
      serial: BigInt(first.set_serial ?? 0),
      feedId: first.feed_id,
      token: first.set_token,
    },
    previousToken: first.previous_token,
    changes,
  }
}

function ownerState(
  { owner: text, rrsets }: ChangeRow,
  onSkipped: OnSkipped,
): OwnerState | undefined {
  const owner = servedOwner(text, onSkipped)
  if (owner === undefined) return undefined
  if (rrsets === null) return { owner, rrsets: null }
  return { owner, rrsets: rrsets.flatMap((row) => servedRRset(text, row, onSkipped) ?? []) }
}

function changedSoa(zone: Zone, row: ZoneRow, onSkipped: OnSkipped): SoaParameters | undefined {
  try {
    const soa = soaOf(row)
    return sameSoa(soa, zone.soaParameters) ? undefined : soa
  } catch (error) {
    onSkipped(row.name, `SOA: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}
