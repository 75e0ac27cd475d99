import { DatabaseError } from 'pg'
import { lockAccountOfLink } from '../../credentials/mail-link.ts'
import { Refusal } from '../../domain/errors.ts'
import { digestOf } from '../../domain/secrets.ts'
import { query } from '../../sql.ts'
import type { Origin } from '../../plugins/contract.ts'
import type { Services } from '../../services.ts'
import { requireAllowance } from '../../integrations/allowance.ts'
import { requireNetworkAllowance } from '../../integrations/network-limits.ts'
import { TEXTS } from './texts.ts'

const linkInvalid = () => new Refusal('link-invalid', TEXTS.linkInvalid)

interface LinkRow {
  readonly user_id: string
  readonly email: string
  readonly expires_at: Date
}

/**
 * Verifies the address that a link was sent to. Of two calls with one link one succeeds.
 *
 * @throws Refusal `link-invalid`, `link-expired`
 */
export async function verifyEmail({ knex, now }: Services, token: string): Promise<void> {
  const at = now()
  try {
    await knex.transaction(async (trx) => {
      await lockAccountOfLink(trx, token)
      const [link] = await query<LinkRow>(
        trx,
        `update mail_links set used_at = ?
         where token_digest = decode(?, 'hex') and purpose = 'verify_email' and used_at is null
         returning user_id, email, expires_at`,
        [at, digestOf(token)],
      )
      if (link === undefined) throw linkInvalid()
      // Thrown inside, so that the link is not used up and says the same next time.
      if (link.expires_at <= at) throw new Refusal('link-expired', TEXTS.linkExpired)
      const verified = await query(
        trx,
        `update users set email_verified_at = ?
         where id = ? and email = ? and email_verified_at is null returning id`,
        [at, link.user_id, link.email],
      )
      if (verified.length === 0) throw linkInvalid()
    })
  } catch (error) {
    // Another account has verified the address first.
    if (error instanceof DatabaseError && error.constraint === 'users_email_key')
      throw linkInvalid()
    throw error
  }
}

/**
 * Asks for a new link. The answer and the work are the same whether an account waits for this address: a
 * job finds out.
 *
 * @throws Refusal `rate-limited`
 */
export async function resendVerification(
  services: Services,
  email: string,
  { ip }: Origin,
): Promise<void> {
  await requireNetworkAllowance(services, 'resend-network', ip)
  await requireAllowance(services, 'resend-address', email)
  await services.knex.transaction((trx) =>
    services.jobs.enqueue(trx, 'resend-verification', { email }),
  )
}
