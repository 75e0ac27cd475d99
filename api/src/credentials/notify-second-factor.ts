import type { Knex } from 'knex'
import type { SecondFactorEvent } from '../queue/notices.ts'
import { secondFactorsOf } from './second-factors.ts'
import type { CredentialServices } from './services.ts'

/** Notifies the owner of an account by mail of a change to its second factors. The mail is sent when `trx` is committed. */
export async function notifySecondFactor(
  { jobs, now }: Pick<CredentialServices, 'jobs' | 'now'>,
  trx: Knex.Transaction,
  userId: string,
  event: SecondFactorEvent,
): Promise<void> {
  const { recoveryCodesLeft: left } = await secondFactorsOf(trx, userId)
  const at = now().toISOString()
  await jobs.enqueue(trx, 'mail', { kind: 'second-factor', userId, event, at, left })
}
