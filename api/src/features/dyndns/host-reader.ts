/*
 * Reading names, gathered.
 *
 * Each update request needs the account as it is now and the names as they are now, from
 * the primary: nothing about them is remembered between requests. A query for each
 * request would cost more than all the rest of it. What arrives while a query is under way
 * is therefore asked in the next one, together; there is no timer, so an idle service asks
 * at once. Two queries at a time were tried: the batches halve and each request costs a
 * quarter more.
 */
import type { Knex } from 'knex'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** An account as a request must know it. */
export interface AccountState {
  readonly credentialVersion: number
  /** Disabled, by its plan or by an administrator. */
  readonly isBlocked: boolean
}

/** A name as it is. Addresses are canonical text. */
export interface HostState {
  readonly domainId: string
  readonly ipv4: string | null
  readonly ipv6: string | null
  /** Locked, over the limit or of a blocked owner: it takes no update. */
  readonly isWithheld: boolean
}

export interface HostReading {
  /** Undefined: there is no such account. */
  readonly account: AccountState | undefined
  /** Undefined: no such name, or not this account's. Wildcards follow their bases and are none here. */
  readonly host: HostState | undefined
}

interface Waiting {
  readonly userId: string
  readonly fqdn: string | null
  readonly give: (reading: HostReading) => void
  readonly fail: (error: unknown) => void
}

/** Names in one query. */
const BATCH_LIMIT = 256
// The arrays stand behind sub-selects so that PostgreSQL uses the prepared plan: where it sees an array it plans each time anew.
const READ = `
  select a.n, u.credential_version, u.enabled and u.account_type <> 'disabled',
         d.id, host(d.record_ipv4), host(d.record_ipv6), d.locked or d.over_limit or d.owner_blocked
  from unnest((select ?::bigint[]), (select ?::text[])) with ordinality as a(user_id, fqdn, n)
  join users u on u.id = a.user_id
  left join domains d on d.fqdn = a.fqdn and d.user_id = a.user_id and not d.is_wildcard`

type Row = [
  n: string,
  credentialVersion: number,
  isEnabled: boolean,
  domainId: string | null,
  ipv4: string | null,
  ipv6: string | null,
  isWithheld: boolean | null,
]

function readingOf(row: Row | undefined): HostReading {
  if (row === undefined) return { account: undefined, host: undefined }
  const [, credentialVersion, isEnabled, domainId, ipv4, ipv6, isWithheld] = row
  return {
    account: { credentialVersion, isBlocked: !isEnabled },
    host: domainId === null ? undefined : { domainId, ipv4, ipv6, isWithheld: isWithheld === true },
  }
}

export class HostReader {
  readonly #knex: Knex
  #waiting: Waiting[] = []
  #isAsking = false

  constructor(knex: Knex) {
    this.#knex = knex
  }

  /**
   * Reads an account and one of its names; null reads the account alone.
   *
   * @throws Error of PostgreSQL when it cannot be asked
   */
  async read(userId: string, fqdn: string | null): Promise<HostReading> {
    return new Promise((give, fail) => {
      this.#waiting.push({ userId, fqdn, give, fail })
      if (!this.#isAsking) void this.#ask()
    })
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    while (this.#waiting.length > 0) {
      // Requests that were parsed in the same turn of the event loop go together.
      await nextTurn()
      const batch = this.#waiting.splice(0, BATCH_LIMIT)
      try {
        const rows = await this.#query(batch)
        for (const [n, waiting] of batch.entries()) waiting.give(readingOf(rows[n]))
      } catch (error) {
        for (const waiting of batch) waiting.fail(error)
      }
    }
    this.#isAsking = false
  }

  /** One row for each of the batch, in its order. */
  async #query(batch: readonly Waiting[]): Promise<(Row | undefined)[]> {
    const userIds = batch.map(({ userId }) => userId)
    const fqdns = batch.map(({ fqdn }) => fqdn)
    const answer: { rows: Row[] } = await this.#knex
      .raw(READ, [userIds, fqdns] as unknown as Knex.RawBinding[])
      .options({ name: 'read-hosts', rowMode: 'array' })
    const rows: (Row | undefined)[] = Array.from({ length: batch.length })
    for (const row of answer.rows) rows[Number(row[0]) - 1] = row
    return rows
  }
}
