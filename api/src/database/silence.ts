/**
 * Detects a PostgreSQL server that is connected but does not respond: frozen, unable to write to
 * its disk, or behind a network that drops packets. The server enforces its own limits for
 * statements and idle transactions, so they do not apply then. Connections would stay open for
 * hours, and callers would wait as long.
 */
import type { Knex } from 'knex'
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import type { ConnectionLimits } from './connection-limits.ts'
import { poolOf } from './pool.ts'

/** Additional time beyond the server's own limit, for the network and for a busy server that cancels a statement. */
const GRACE_MS = 1_000

/**
 * Closes each connection in use that receives and sends nothing for longer than the server's
 * limits: the caller gets an error with code ETIMEDOUT, and the pool discards the connection. A
 * transaction on it is not committed later: its COMMIT was never sent, or had been sent when the
 * caller began to wait for it.
 *
 * Connections with a disabled limit (0) are not watched.
 */
export function giveUpOnSilence(knex: Knex, limits: ConnectionLimits): void {
  if (limits.statementMs === 0 || limits.idleInTransactionMs === 0) return
  const limitMs = Math.max(limits.statementMs, limits.idleInTransactionMs) + GRACE_MS
  const pool = poolOf(knex)
  const watched = new WeakSet<Socket>()
  pool.on('acquireSuccess', (_id, { connection: { stream } }) => {
    if (!(stream instanceof Socket)) return
    stream.setTimeout(limitMs)
    if (watched.has(stream)) return
    watched.add(stream)
    stream.on('timeout', () => {
      const error = new Error(`PostgreSQL has not answered for ${limitMs} ms`)
      stream.destroy(Object.assign(error, { code: 'ETIMEDOUT' }))
    })
  })
  pool.on('release', ({ connection: { stream } }) => {
    if (stream instanceof Socket) stream.setTimeout(0)
  })
}

/**
 * Whether an error means that PostgreSQL is unreachable, and not that it refused this statement: no
 * connection (SQLSTATE class 08), no resources for one (53), starting or stopping (57P), or an
 * error that is not from PostgreSQL.
 */
export function isDatabaseAway(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(08|53|57P)/.test(error.code ?? '')
}

/** Interval between attempts to reach it. */
const ASK_AGAIN_MS = 1_000

/**
 * Resolves when PostgreSQL answers, or when `giveUp` is aborted. For a part that needs the database
 * and starts while it is unreachable.
 *
 * @param onAway called once, with the first error
 * @throws the error of a PostgreSQL that responds and refuses
 */
export async function untilDatabaseAnswers(
  knex: Knex,
  giveUp: AbortSignal,
  onAway: (error: unknown) => void,
): Promise<void> {
  for (let attempt = 1; !giveUp.aborted; attempt++) {
    try {
      await knex.raw('select 1')
      return
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      if (attempt === 1) onAway(error)
      await delay(ASK_AGAIN_MS, undefined, { signal: giveUp }).catch(() => undefined)
    }
  }
}
