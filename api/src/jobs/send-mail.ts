/**
 * The job `mail`: writes and sends one mail. A retry sends the same mail, or nothing if the mail is no longer needed.
 */
import type { MailParts } from '../integrations/mails/mail.ts'
import { tokenOfLink } from '../credentials/mail-link.ts'
import { MailLink } from '../models/mail-link.ts'
import { User } from '../models/user.ts'
import type { Mailer } from '../integrations/mailer.ts'
import { accountDeletionMail } from '../integrations/mails/account-deletion.ts'
import { addressInUseMail } from '../integrations/mails/address-in-use.ts'
import {
  addressesChangedMail,
  domainsSilentMail,
  keysExpiringMail,
} from '../integrations/mails/chosen-notices.ts'
import { confirmNewEmailMail, confirmOldEmailMail } from '../integrations/mails/confirm-email.ts'
import { emailChangedMail } from '../integrations/mails/email-changed.ts'
import { monitorDigestMail, monitorMail } from '../integrations/mails/monitor-notices.ts'
import { keyNoticeMail } from '../integrations/mails/key-notice.ts'
import { newDeviceMail } from '../integrations/mails/new-device.ts'
import { ownZoneMail } from '../integrations/mails/own-zone.ts'
import { passkeyNoticeMail } from '../integrations/mails/passkey-notice.ts'
import { passwordChangedMail } from '../integrations/mails/password-changed.ts'
import { paymentMail } from '../integrations/mails/payment.ts'
import { resetPasswordMail } from '../integrations/mails/reset-password.ts'
import { secondFactorMail } from '../integrations/mails/second-factor.ts'
import { verifyEmailMail } from '../integrations/mails/verify-email.ts'
import { writeMail } from '../integrations/mails/write-mail.ts'
import { mailFacts } from '../payments/mail-facts.ts'
import type { JobServices } from '../compose.ts'
import type { MailJob } from '../queue/job-data.ts'
import { noteFailed, noteSent, noticesOf } from './notices/channels/mail.ts'

type MailServices = Pick<JobServices, 'knex' | 'config' | 'now'>

interface Recipient {
  readonly to: string
  readonly username: string
}

interface SentLink {
  readonly recipient: Recipient
  readonly token: string
}

/** A link and its recipient; undefined when the link was used, was replaced or has expired. */
async function linkOf(
  { knex, config, now }: MailServices,
  { linkId, seed }: { readonly linkId: string; readonly seed: string },
): Promise<SentLink | undefined> {
  const [link] = await MailLink.query(knex)
    .joinRelated('account')
    .where('mail_links.id', linkId)
    .modify('usable', now())
    .select('mail_links.email', 'mail_links.token_digest', 'account.username')
    .toKnexQuery<Pick<MailLink, 'email' | 'token_digest'> & Pick<User, 'username'>>()
  if (link === undefined) return undefined
  const recipient = { to: link.email, username: link.username }
  return { recipient, token: tokenOfLink(config, seed, link.token_digest.toString('hex')) }
}

/** The owner of an account, at the verified address; undefined when there is no verified address. */
async function ownerOf({ knex }: MailServices, userId: string): Promise<Recipient | undefined> {
  const owner = await User.query(knex)
    .findById(userId)
    .modify('verified')
    .select('email', 'username')
  return owner && { to: owner.email, username: owner.username }
}

type Writers = {
  readonly [Kind in MailJob['kind']]: (
    services: MailServices,
    job: Extract<MailJob, { kind: Kind }>,
  ) => Promise<MailParts | undefined>
}

/**
 * Writes the mail of each kind. Links to pages carry the token in the fragment, which browsers do
 * not send, so it appears in no log and no `Referer`.
 */
const WRITERS: Writers = {
  async 'verify-email'(services, job) {
    const link = await linkOf(services, job)
    if (link === undefined) return undefined
    const url = urlOf(services, `/#verify-email/${link.token}`)
    return verifyEmailMail({ ...link.recipient, url })
  },
  async 'reset-password'(services, job) {
    const link = await linkOf(services, job)
    if (link === undefined) return undefined
    const url = urlOf(services, `/#reset-password/${link.token}`)
    return resetPasswordMail({ ...link.recipient, url })
  },
  async 'confirm-old-email'(services, job) {
    const link = await linkOf(services, job)
    if (link === undefined) return undefined
    const url = urlOf(services, `/#confirm-email/${link.token}`)
    return confirmOldEmailMail({ ...link.recipient, newEmail: job.newEmail, url })
  },
  async 'confirm-new-email'(services, job) {
    const link = await linkOf(services, job)
    if (link === undefined) return undefined
    const url = urlOf(services, `/#confirm-email/${link.token}`)
    return confirmNewEmailMail({ ...link.recipient, url })
  },
  async 'email-changed'(services, { userId, to, newEmail, at }) {
    const owner = await ownerOf(services, userId)
    return owner && emailChangedMail({ to, username: owner.username, newEmail, at })
  },
  async 'new-device'(services, { userId, at, ip, cc, client }) {
    const owner = await ownerOf(services, userId)
    const url = urlOf(services, NOT_ME)
    return owner && newDeviceMail({ ...owner, at, ip, cc, client, url })
  },
  async 'key-notice'(services, notice) {
    const owner = await ownerOf(services, notice.userId)
    const { publicUrl } = services.config
    return owner && keyNoticeMail({ ...notice, ...owner, publicUrl })
  },
  async passkey(services, notice) {
    const owner = await ownerOf(services, notice.userId)
    const url = urlOf(services, NOT_ME)
    return owner && passkeyNoticeMail({ ...notice, ...owner, url })
  },
  async 'second-factor'(services, notice) {
    const owner = await ownerOf(services, notice.userId)
    const url = urlOf(services, NOT_ME)
    return owner && secondFactorMail({ ...notice, ...owner, url })
  },
  async 'account-deletion'(services, { userId, dueAt }) {
    const owner = await ownerOf(services, userId)
    return owner && accountDeletionMail({ ...owner, dueAt, url: urlOf(services, '/#login') })
  },
  async 'address-in-use'(services, { userId }) {
    const owner = await ownerOf(services, userId)
    return owner && addressInUseMail({ ...owner, url: urlOf(services, '/#login') })
  },
  async 'keys-expiring'(services, { userId, keys }) {
    const owner = await ownerOf(services, userId)
    const url = urlOf(services, '/#settings/api-keys')
    return owner && keysExpiringMail({ ...owner, keys, url })
  },
  async 'domains-silent'(services, { userId, days, domains }) {
    const owner = await ownerOf(services, userId)
    const url = urlOf(services, '/#dashboard')
    return owner && domainsSilentMail({ ...owner, days, domains, url })
  },
  async 'addresses-changed'(services, { userId, domains }) {
    const owner = await ownerOf(services, userId)
    return owner && addressesChangedMail({ ...owner, domains, url: urlOf(services, '/#dashboard') })
  },
  async 'password-changed'(services, notice) {
    const owner = await ownerOf(services, notice.userId)
    const url = urlOf(services, NOT_ME)
    return owner && passwordChangedMail({ ...notice, ...owner, url })
  },
  async payment(services, mail) {
    const owner = await ownerOf(services, mail.userId)
    const { publicUrl, payments } = services.config
    const facts = await mailFacts(services.knex, mail, payments.supportEmail)
    return owner && facts && paymentMail({ ...facts, ...owner, event: mail.event, publicUrl })
  },
  async 'own-zone'(services, notice) {
    const owner = await ownerOf(services, notice.userId)
    return owner && ownZoneMail({ ...notice, ...owner, url: urlOf(services, '/#zones') })
  },
  async monitors(services, delivery) {
    const owner = await ownerOf(services, delivery.userId)
    const notices = await noticesOf(services.knex, delivery)
    const [first] = notices
    if (owner === undefined || first === undefined) return undefined
    if (notices.length > 1) {
      return monitorDigestMail({ ...owner, notices, url: urlOf(services, '/#dashboard') })
    }
    const url = urlOf(services, `/#domain/${first.fqdn}?tab=monitor`)
    return monitorMail({ ...owner, notice: first, url })
  },
}

/** The page that requests a new password. It names the reason: the owner of the account did not do what the mail reports. */
const NOT_ME = '/#forgot-password?why=not-me'

const urlOf = ({ config }: MailServices, path: string) => new URL(path, config.publicUrl).href

/** @param id the job's id, used as the mail's Message-ID, so that a mail sent twice is recognised as one */
export async function sendMail(
  services: MailServices,
  mailer: Mailer,
  job: MailJob,
  id: string,
): Promise<void> {
  // Each kind has its own writer, which the type of all kinds together cannot express.
  const write = WRITERS[job.kind] as (
    services: MailServices,
    job: MailJob,
  ) => Promise<MailParts | undefined>
  const parts = await write(services, job)
  if (parts === undefined) {
    if (job.kind === 'monitors') await noteFailed(services.knex, job)
    return
  }
  const { productName: product, publicUrl } = services.config
  await mailer.send(writeMail(parts, { product, url: publicUrl.origin }), id)
  if (job.kind === 'monitors') await noteSent(services.knex, job, parts.to)
}
