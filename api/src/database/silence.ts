/**
 * A PostgreSQL that is there and does not answer: frozen, out of its disk, or behind
 * a network that swallows packets. Its limits for statements and idle transactions
 * are kept by itself, so then nobody keeps them. Connections stay open for hours, and
 * whoever waits on one waits as long.
 */
import type { Knex } from 'knex'
import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, DatabaseError } from 'pg'
import type { ConnectionLimits } from './connection-limits.ts'

/** What an answer may take beyond the server's own limit: the way, and a server that is busy ending what took too long. */
const GRACE_MS = 1_000

/** The pool inside knex (tarn), as far as it is used here. */
interface Pool {
  on(event: 'acquireSuccess', told: (id: number, client: Client) => void): void
  on(event: 'release', told: (client: Client) => void): void
}

/**
 * Closes each connection on which, while somebody uses it, nothing moves for longer than
 * the server may take: the user gets an error with code ETIMEDOUT, and the pool forgets
 * the connection. A transaction on it is not committed later: its COMMIT was never sent,
 * or had been when the user began to wait for it.
 *
 * Limits that are switched off (0) leave nothing to wait for; such connections are left alone.
 */
export function giveUpOnSilence(knex: Knex, limits: ConnectionLimits): void {
  if (limits.statementMs === 0 || limits.idleInTransactionMs === 0) return
  const limitMs = Math.max(limits.statementMs, limits.idleInTransactionMs) + GRACE_MS
  const { pool } = knex.client as { readonly pool: Pool }
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
 * Whether an error says that PostgreSQL cannot be asked at all, and not that it refused
 * this question: no connection (SQLSTATE class 08), none to be had (53), starting or
 * stopping (57P), or none of its words at all.
 */
export function isDatabaseAway(error: unknown): boolean {
  return !(error instanceof DatabaseError) || /^(08|53|57P)/.test(error.code ?? '')
}

/** Between two questions whether it is there again. */
const ASK_AGAIN_MS = 1_000

/**
 * Resolves when PostgreSQL answers, or when nobody waits any more. For a part that can do
 * nothing without it and is started while it is away.
 *
 * @param onAway told once, with the first error
 * @throws the error of a PostgreSQL that is there and refuses
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
