import type { Knex } from 'knex'
import type { SecondFactorEvent } from '../queue/notices.ts'
import { secondFactorsOf } from './second-factors.ts'
import type { CredentialServices } from './services.ts'

/** Tells the owner of an account what became of its second factors, by a mail that is sent once `trx` is committed. */
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
