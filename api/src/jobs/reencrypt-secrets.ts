/**
 * Re-encrypts the stored secrets that were encrypted with `SECRET_KEY_PREVIOUS`, so that the previous
 * key can be discarded. A row does not say which key encrypted it; only decryption shows that, because
 * the cipher authenticates. So a pass reads every row, and restarts at the first one after an
 * interruption: rows that were already re-encrypted stay unchanged, and cost only the reading.
 */
import { reencryptSecret } from '../credentials/encrypted-secret.ts'
import { totpPlace } from '../credentials/totp.ts'
import type { JobServices } from '../compose.ts'
import { query } from '../database/sql.ts'

/** Rows per transaction. A transaction takes some milliseconds; a sign-in with a code of these rows waits for it. */
const BATCH_ROWS = 200

/** The secrets that a pass found, by the key that had encrypted them. */
export interface FoundSecrets {
  readonly current: number
  /** Encrypted with `SECRET_KEY` now. */
  readonly previous: number
  /** No key decrypts them; they were left unchanged. */
  readonly unknown: number
}

type ReencryptServices = Pick<JobServices, 'knex' | 'config' | 'randomBytes'>

interface Batch {
  readonly found: FoundSecrets
  /** The last row; undefined when there are no more rows. */
  readonly last: string | undefined
}

/**
 * One pass over all stored secrets, in batches. Several workers may run it at once.
 *
 * @param stopping ends the pass between two batches
 * @returns undefined when the pass was stopped
 */
export async function reencryptSecrets(
  services: ReencryptServices,
  stopping: AbortSignal,
): Promise<FoundSecrets | undefined> {
  let [current, previous, unknown] = [0, 0, 0]
  for (let after: string | undefined = '0'; after !== undefined;) {
    if (stopping.aborted) return undefined
    const { found, last }: Batch = await reencryptBatch(services, after)
    current += found.current
    previous += found.previous
    unknown += found.unknown
    after = last
  }
  return { current, previous, unknown }
}

/** Rows are locked in order, so that two workers wait for each other and never deadlock. */
function reencryptBatch(
  { knex, config, randomBytes }: ReencryptServices,
  after: string,
): Promise<Batch> {
  return knex.transaction(async (trx) => {
    const rows = await query<{ user_id: string; sealed_secret: string }>(
      trx,
      `select user_id, sealed_secret from totp_secrets
       where user_id > ? order by user_id limit ${BATCH_ROWS} for update`,
      [after],
    )
    const rewritten = new Map<string, string>()
    let unknown = 0
    for (const { user_id: userId, sealed_secret: text } of rows) {
      try {
        const anew = reencryptSecret(config, totpPlace(userId), text, randomBytes)
        if (anew !== undefined) rewritten.set(userId, anew)
      } catch {
        unknown += 1
      }
    }
    if (rewritten.size > 0) {
      await query(
        trx,
        `update totp_secrets t set sealed_secret = anew.sealed_secret
         from unnest(?::bigint[], ?::text[]) as anew (user_id, sealed_secret)
         where t.user_id = anew.user_id`,
        [[...rewritten.keys()], [...rewritten.values()]],
      )
    }
    const current = rows.length - rewritten.size - unknown
    const last = rows.length < BATCH_ROWS ? undefined : rows.at(-1)?.user_id
    return { found: { current, previous: rewritten.size, unknown }, last }
  })
}
