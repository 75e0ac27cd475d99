/** The handler of each kind of job. */
import { settleEmailChange } from '../features/account/change-email.ts'
import { settleForgotten } from '../features/auth/forgot-password.ts'
import { settleRegistration, settleResend } from '../features/auth/verification-mail.ts'
import type { Mailer } from '../integrations/mailer.ts'
import type { JobServices } from '../compose.ts'
import { settleAccountPlan } from './account-plan.ts'
import type { JobData, JobName } from '../queue/job-data.ts'
import { settleBlockedTarget } from './blocked-target.ts'
import { publishForwardAddresses } from './forward-addresses.ts'
import { settleNameLock } from './name-lock.ts'
import { settlePlan } from './plan.ts'
import { sendMail } from './send-mail.ts'

export type JobHandlers = {
  readonly [Name in JobName]: (job: JobData[Name], id: string) => Promise<void>
}

/** What each kind of job does. */
export function jobHandlers(services: JobServices, mailer: Mailer): JobHandlers {
  return {
    registration: (job) => settleRegistration(services, job),
    'resend-verification': (job) => settleResend(services, job),
    'forgot-password': (job) => settleForgotten(services, job),
    'change-email': (job) => settleEmailChange(services, job),
    mail: (job, id) => sendMail(services, mailer, job, id),
    'account-plan': ({ userId }) => settleAccountPlan(services.knex, userId),
    'name-lock': ({ fqdn }) => settleNameLock(services.knex, fqdn),
    'blocked-target': ({ id }) => settleBlockedTarget(services.knex, id),
    'forward-addresses': (job) => publishForwardAddresses(services, job),
    plan: (job) => settlePlan(services, job),
  }
}
