/**
 * Ends claims that were not proved in time, applies plans to own zones, and reminds their owners before a zone is withheld.
 */
import { endClaim, holdOwnZone, withZoneOwner } from '../../feed/own-zone-owner.ts'
import { accountsWithOtherPlans, settleOwnZonePlans } from '../../feed/own-zone-plan.ts'
import { holdPlans, lockAccounts } from '../../feed/lock-order.ts'
import { publish } from '../../feed/publish.ts'
import { query } from '../../database/sql.ts'
import { ZoneClaim, type ZoneClaimRow } from '../../models/zone-claim.ts'
import type { JobServices } from '../../compose.ts'

export type TermServices = Pick<JobServices, 'knex' | 'config' | 'jobs' | 'now'>

/** Claims that end in one run. */
const EXPIRED_LIMIT = 200

async function expireClaims({ knex, config, now }: TermServices): Promise<number> {
  const at = now()
  const due = await ZoneClaim.query(knex)
    .select('id', 'user_id', 'name')
    .where('state', 'pending')
    .where('expires_at', '<=', at)
    .orderBy('id')
    .limit(EXPIRED_LIMIT)
  for (const { id, user_id, name } of due) {
    await withZoneOwner(knex, async (trx) => {
      await holdOwnZone(trx, user_id, name)
      // It can have been proved or deleted meanwhile.
      const [claim] = await ZoneClaim.query(trx)
        .where({ id, state: 'pending' })
        .toKnexQuery<ZoneClaimRow>()
      if (claim === undefined) return
      const settings = { nameservers: config.nameservers, at }
      await publish(trx, (await endClaim(trx, claim, settings, 'expired')).owners)
    })
  }
  return due.length
}

async function settlePlans({ knex, jobs, now }: TermServices): Promise<number> {
  const at = now()
  const userIds = await accountsWithOtherPlans(knex, at)
  for (const userId of userIds) {
    await knex.transaction(async (trx) => {
      const accounts = await lockAccounts(trx, [userId])
      await holdPlans(
        trx,
        accounts.map(({ account_type }) => account_type),
      )
      await settleOwnZonePlans(trx, [userId], at)
      // The domains in these zones follow.
      await jobs.enqueue(trx, 'account-plan', { userId })
    })
  }
  return userIds.length
}

// 30, 7 and 1 day before; 0 when it is withheld.
const REMIND = `
  with due as (
    select c.id, s.days
    from zone_claims c
    cross join lateral (
      select case when c.state = 'withheld' then 0
                  when c.withheld_at <= ?::timestamptz + interval '1 day' then 1
                  when c.withheld_at <= ?::timestamptz + interval '7 days' then 7 else 30 end as days
    ) as s
    where c.state in ('active', 'withheld') and c.withheld_at is not null
      and (c.reminded_days is null or c.reminded_days > s.days)
    order by c.id limit 500 for update of c skip locked
  )
  update zone_claims c set reminded_days = due.days from due where c.id = due.id
  returning c.user_id, c.name, c.is_vanity, c.withheld_at, due.days`

interface Reminder {
  readonly user_id: string
  readonly name: string
  readonly is_vanity: boolean
  readonly withheld_at: Date
  readonly days: number
}

async function remind({ knex, jobs, now }: TermServices): Promise<number> {
  return knex.transaction(async (trx) => {
    const reminders = await query<Reminder>(trx, REMIND, [now(), now()])
    for (const {
      user_id: userId,
      name: zone,
      is_vanity: isVanity,
      withheld_at,
      days,
    } of reminders) {
      const at = withheld_at.toISOString()
      const event =
        days === 0 ? ({ event: 'withheld' } as const) : ({ event: 'withheld-soon', at } as const)
      await jobs.enqueue(trx, 'mail', { kind: 'own-zone', userId, zone, isVanity, ...event })
    }
    return reminders.length
  })
}

/** What a run did: claims that expired, accounts whose zones changed, and mails. */
export interface KeptTerms {
  readonly expired: number
  readonly settled: number
  readonly mails: number
}

/** Several workers can run it at once: each step locks what it changes, and reads it again. */
export async function keepZoneTerms(services: TermServices): Promise<KeptTerms> {
  const expired = await expireClaims(services)
  const settled = await settlePlans(services)
  return { expired, settled, mails: await remind(services) }
}
