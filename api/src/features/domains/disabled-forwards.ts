/**
 * Web forwards that an administrator disabled keep their domains: an owner who could delete the domain would delete the
 * forward with it, register the domain again, and forward it as before.
 */
import type { Knex } from 'knex'
import { WebForward } from '../../models/web-forward.ts'
import { forwardDisabled, type Refusal } from '../../rules/errors.ts'

/** Of the domains whose forward is disabled, the reason by the id of the domain. The caller holds their account. */
export async function disabledForwards(
  trx: Knex.Transaction,
  domainIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await WebForward.query(trx)
    .select('domain_id', 'disabled_reason')
    .whereIn('domain_id', domainIds)
    .whereNotNull('disabled_reason')
  return new Map(rows.map((row) => [row.domain_id, row.disabled_reason ?? '']))
}

/** The refusal to delete a domain whose forward is disabled. */
export const keptByForward = (fqdn: string, reason: string): Refusal =>
  forwardDisabled(fqdn, reason, 'The domain cannot be deleted while it is disabled.')
