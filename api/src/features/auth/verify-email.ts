import { DatabaseError } from 'pg'
import { dropCompetingLinks, lockClaimants } from '../../credentials/mail-link.ts'
import { Refusal } from '../../domain/errors.ts'
import { digestOf } from '../../domain/secrets.ts'
import { query } from '../../sql.ts'
import type { Origin } from '../../plugins/contract.ts'
import type { Services } from '../../services.ts'
import { requireAllowance } from '../../integrations/allowance.ts'
import { requireNetworkAllowance } from '../../integrations/network-limits.ts'
import { TEXTS } from './texts.ts'

const linkInvalid = () => new Refusal('link-invalid', TEXTS.linkInvalid)

/** A valid link was opened, and nobody has confirmed that the account is theirs. */
export class EmailUnconfirmed extends Refusal<'email-unconfirmed'> {
  readonly username: string
  readonly email: string

  constructor({ username, email }: Pick<WaitingLink, 'username' | 'email'>) {
    super(
      'email-unconfirmed',
      `Please confirm that ${username} is your account: press the button “${TEXTS.verifyButton}” (POST /api/verify-email).`,
    )
    this.name = 'EmailUnconfirmed'
    this.username = username
    this.email = email
  }
}

interface WaitingLink {
  readonly username: string
  readonly email: string
  readonly expires_at: Date
  /** Whether the secret is that of the browser which registered the account. */
  readonly is_registrant: boolean
}

/** @throws Refusal `link-invalid`, `link-expired` */
async function findLink(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  token: string,
  secret: string | undefined,
): Promise<WaitingLink> {
  const [link] = await query<WaitingLink>(
    knex,
    `select u.username, l.email, l.expires_at,
            coalesce(u.registration_digest = decode(?, 'hex'), false) as is_registrant
     from mail_links l join users u on u.id = l.user_id and u.email = l.email
     where l.token_digest = decode(?, 'hex') and l.purpose = 'verify_email' and l.used_at is null
       and u.email_verified_at is null
       and not exists (
         select from users o where lower(o.email) = lower(l.email) and o.email_verified_at is not null)`,
    [secret === undefined ? null : digestOf(secret), digestOf(token)],
  )
  if (link === undefined) throw linkInvalid()
  if (link.expires_at <= now()) throw new Refusal('link-expired', TEXTS.linkExpired)
  return link
}

/** A link that was opened, as its request says. */
export interface OpenedLink {
  readonly token: string
  /** The cookie of the browser that registered an account; undefined when the request has none. */
  readonly secret: string | undefined
  /** Only asks what opening the link would do, as HEAD does. */
  readonly isTrial: boolean
}

/**
 * Verifies the address that a link was sent to, when the browser that registered the account opens it. Programs that
 * look at mail open links too, so for everybody else the link stays as it is until the person has confirmed.
 *
 * @throws Refusal `link-invalid`, `link-expired`; EmailUnconfirmed for a link that is valid
 */
export async function openLink(
  services: Services,
  { token, secret, isTrial }: OpenedLink,
): Promise<void> {
  const link = await findLink(services, token, secret)
  if (!link.is_registrant) throw new EmailUnconfirmed(link)
  if (!isTrial) await verifyEmail(services, token)
}

interface UsedLink {
  readonly user_id: string
  readonly email: string
  readonly expires_at: Date
}

/**
 * Verifies the address that a link was sent to, and makes the links of other accounts that claim it worthless. Of two
 * calls with one link one succeeds.
 *
 * @throws Refusal `link-invalid`, `link-expired`
 */
export async function verifyEmail({ knex, now }: Services, token: string): Promise<void> {
  const at = now()
  try {
    await knex.transaction(async (trx) => {
      await lockClaimants(trx, token)
      const [link] = await query<UsedLink>(
        trx,
        `update mail_links set used_at = ?
         where token_digest = decode(?, 'hex') and purpose = 'verify_email' and used_at is null
         returning user_id, email, expires_at`,
        [at, digestOf(token)],
      )
      if (link === undefined) throw linkInvalid()
      // Thrown inside, so that the link is not used up and says the same next time.
      if (link.expires_at <= at) throw new Refusal('link-expired', TEXTS.linkExpired)
      await dropCompetingLinks(trx, link.user_id, link.email)
      const verified = await query(
        trx,
        `update users set email_verified_at = ?, registration_digest = null
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
