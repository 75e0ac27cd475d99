/** The job `mail`: writes one mail and hands it over. Tried again, it sends the same mail or, when it became pointless, none. */
import type { Mail } from '../integrations/mails/mail.ts'
import { linkToken } from '../credentials/mail-link.ts'
import { query } from '../sql.ts'
import type { Mailer } from '../integrations/mailer.ts'
import { addressInUseMail } from '../integrations/mails/address-in-use.ts'
import { verifyEmailMail } from '../integrations/mails/verify-email.ts'
import type { Services } from '../services.ts'
import type { MailJob } from './job-queue.ts'

type MailServices = Pick<Services, 'knex' | 'config' | 'now'>

interface Recipient {
  readonly to: string
  readonly username: string
}

/** Undefined when the link was used, replaced or has expired meanwhile. */
async function verificationMail(
  { knex, config, now }: MailServices,
  { linkId, seed }: Extract<MailJob, { kind: 'verify-email' }>,
): Promise<Mail | undefined> {
  const [recipient] = await query<Recipient>(
    knex,
    `select l.email as to, u.username from mail_links l join users u on u.id = l.user_id
     where l.id = ? and l.used_at is null and l.expires_at > ?`,
    [linkId, now()],
  )
  if (recipient === undefined) return undefined
  const token = linkToken(config.secretKey, seed)
  const url = new URL(`/api/verify-email/${token}`, config.publicUrl).href
  return verifyEmailMail({ ...recipient, url })
}

async function noticeMail(
  { knex, config }: MailServices,
  { userId }: Extract<MailJob, { kind: 'address-in-use' }>,
): Promise<Mail | undefined> {
  const [recipient] = await query<Recipient>(
    knex,
    'select email as to, username from users where id = ? and email_verified_at is not null',
    [userId],
  )
  return recipient && addressInUseMail({ ...recipient, url: config.publicUrl.href })
}

/** @param id the job's: the mail's Message-ID, so that a mail sent twice is recognised as one */
export async function sendMail(
  services: MailServices,
  mailer: Mailer,
  job: MailJob,
  id: string,
): Promise<void> {
  const mail =
    job.kind === 'verify-email'
      ? await verificationMail(services, job)
      : await noticeMail(services, job)
  if (mail !== undefined) await mailer.send(mail, id)
}
