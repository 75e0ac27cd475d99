import type { Knex } from 'knex'
import { DatabaseError } from 'pg'
import { dropCompetingLinks, lockClaimants } from '../../credentials/mail-link.ts'
import { Refusal } from '../../rules/errors.ts'
import { digestBytes } from '../../rules/secrets.ts'
import { MailLink } from '../../models/mail-link.ts'
import { User } from '../../models/user.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { Services } from '../../compose.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { requireNetworkAllowance } from '../../limits/network-limits.ts'
import { TEXTS } from './texts.ts'

const linkInvalid = () => new Refusal('link-invalid', TEXTS.linkInvalid)

/** A valid link was opened, but the user has not confirmed yet that the account is theirs. */
class EmailUnconfirmed extends Refusal<'email-unconfirmed'> {
  constructor({ username, email }: Pick<WaitingLink, 'username' | 'email'>) {
    super(
      'email-unconfirmed',
      `The account ${username} was registered with the email address ${email}. If you registered it, confirm the address.`,
    )
    this.name = 'EmailUnconfirmed'
  }
}

/** A link that is waiting to be opened, with the data that identifies its account. */
type WaitingLink = Pick<MailLink, 'email' | 'expires_at'> &
  Pick<User, 'username' | 'registration_digest'>

/** Why a token verifies nothing: its link was used before, or does not exist. */
async function refusalOf(knex: Knex, token: string): Promise<Refusal> {
  const used = await MailLink.query(knex)
    .joinRelated('account(verified)')
    .where('mail_links.token_digest', digestBytes(token))
    .where('mail_links.purpose', 'verify_email')
    .whereNotNull('mail_links.used_at')
    .select('mail_links.id')
    .first()
  if (used === undefined) return linkInvalid()
  return new Refusal('already-verified', TEXTS.alreadyVerified)
}

/** @throws Refusal `link-invalid`, `link-expired`, `already-verified` */
async function findLink(
  { knex, now }: Pick<Services, 'knex' | 'now'>,
  token: string,
): Promise<WaitingLink> {
  const owners = User.query(knex).alias('o').whereNotNull('o.email_verified_at')
  const [link] = await MailLink.query(knex)
    .joinRelated('account(unverified)')
    .where('mail_links.token_digest', digestBytes(token))
    .where('mail_links.purpose', 'verify_email')
    .modify('unused')
    .whereColumn('account.email', 'mail_links.email')
    .whereNotExists(owners.whereRaw('lower(o.email) = lower(mail_links.email)'))
    .select('mail_links.email', 'mail_links.expires_at')
    .select('account.username', 'account.registration_digest')
    .toKnexQuery<WaitingLink>()
  if (link === undefined) throw await refusalOf(knex, token)
  if (link.expires_at <= now()) throw new Refusal('link-expired', TEXTS.linkExpired)
  return link
}

/** An opened link, as its request describes it. */
export interface OpenedLink {
  readonly token: string
  /** The cookie of the browser that registered the account; undefined when the request has no such cookie. */
  readonly secret: string | undefined
  /** Only checks what opening the link would do, as for HEAD. */
  readonly isTrial: boolean
}

/**
 * Verifies the address that a link was sent to, when the browser that registered the account opens it. Programs that
 * scan mail open links too, so for all other clients the link stays unused until the user confirms.
 *
 * @throws Refusal `link-invalid`, `link-expired`, `already-verified`; `email-unconfirmed` for a valid link
 */
export async function openLink(
  services: Services,
  { token, secret, isTrial }: OpenedLink,
): Promise<void> {
  const link = await findLink(services, token)
  const isRegistrant =
    secret !== undefined && link.registration_digest?.equals(digestBytes(secret)) === true
  if (!isRegistrant) throw new EmailUnconfirmed(link)
  if (!isTrial) await verifyEmail(services, token)
}

/**
 * Verifies the address that a link was sent to, and invalidates the links of other accounts that claim it. Of two
 * calls with one link, one succeeds.
 *
 * @throws Refusal `link-invalid`, `link-expired`, `already-verified`
 */
export async function verifyEmail({ knex, now }: Services, token: string): Promise<void> {
  const at = now()
  try {
    await knex.transaction(async (trx) => {
      await lockClaimants(trx, token)
      const [link] = await MailLink.query(trx)
        .patch({ used_at: at })
        .where({ token_digest: digestBytes(token), purpose: 'verify_email' })
        .modify('unused')
        .returning('*')
      if (link === undefined) throw await refusalOf(trx, token)
      // Thrown inside the transaction, so that the link is not used up and gives the same response next time.
      if (link.expires_at <= at) throw new Refusal('link-expired', TEXTS.linkExpired)
      await dropCompetingLinks(trx, link.user_id, link.email)
      const verified = await User.query(trx)
        .patch({ email_verified_at: at })
        .where({ id: link.user_id, email: link.email })
        .modify('unverified')
      if (verified === 0) throw linkInvalid()
    })
  } catch (error) {
    // Another account verified the address first.
    if (error instanceof DatabaseError && error.constraint === 'users_email_key')
      throw linkInvalid()
    throw error
  }
}

/**
 * Requests a new link. Response and work are the same whether or not an account claims this address;
 * only a job checks that.
 *
 * @throws Refusal `rate-limited`
 */
export async function resendVerification(
  services: Services,
  email: string,
  { ip }: RequestSource,
): Promise<void> {
  await requireNetworkAllowance(services, 'resend-network', ip)
  await requireAllowance(services, 'resend-address', email)
  await services.knex.transaction((trx) =>
    services.jobs.enqueue(trx, 'resend-verification', { email }),
  )
}
