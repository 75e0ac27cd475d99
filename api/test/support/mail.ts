/** Mail in tests: jobs run when the test says so, and their mails are stored. */
import { query } from '../../src/database/sql.ts'
import type { Mailer } from '../../src/integrations/mailer.ts'
import type { Mail } from '../../src/integrations/mails/mail.ts'
import { jobHandlers } from '../../src/jobs/job-handlers.ts'
import type { JobName } from '../../src/queue/job-data.ts'
import type { Services } from '../../src/compose.ts'

export interface SentMail extends Mail {
  readonly id: string
}

/** Stores the mails. */
export class KeepingMailer implements Mailer {
  readonly sent: SentMail[] = []

  async send(mail: Mail, id: string): Promise<void> {
    this.sent.push({ ...mail, id })
  }

  close(): void {
    this.sent.length = 0
  }
}

interface WaitingJob {
  readonly id: string
  readonly name: JobName
  readonly data: never
}

/** Runs every waiting job, and the jobs that they add. @returns their kinds, in order */
export async function runJobs(services: Services, mailer: Mailer): Promise<JobName[]> {
  const handlers = jobHandlers(services, mailer)
  const done: JobName[] = []
  for (;;) {
    const waiting = await query<WaitingJob>(
      services.knex,
      `select id, name, data from pgboss.job where state in ('created', 'retry') order by created_on, id`,
    )
    if (waiting.length === 0) return done
    for (const { id, name, data } of waiting) {
      await handlers[name](data, id)
      await query(
        services.knex,
        `update pgboss.job set state = 'completed', completed_on = now() where id = ?`,
        [id],
      )
      done.push(name)
    }
  }
}

/** The token of the link in a mail. */
export function linkTokenOf(mail: Mail | undefined): string {
  const [, token] =
    /\b(?:verify-email|reset-password|confirm-email)\/([\w-]+)/.exec(mail?.text ?? '') ?? []
  if (token === undefined) throw new Error('the mail has no link')
  return token
}
