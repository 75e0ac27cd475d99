import type { AdminUserChange } from '@homing/openapi'
import type { Knex } from 'knex'
import { DatabaseError } from 'pg'
import { dropCompetingLinks } from '../../credentials/mail-link.ts'
import { Refusal } from '../../rules/errors.ts'
import { changeOfAdministrator } from '../../rules/account-grants.ts'
import type { AccountStatus } from '../../rules/plans.ts'
import { accountTypeAfter, changeGrants } from '../../feed/account-grants.ts'
import type { Actor } from '../../feed/address-change.ts'
import { lockAccounts } from '../../feed/lock-order.ts'
import { NEXT_CREDENTIAL_VERSION, User } from '../../models/user.ts'
import { settleRenewal } from '../../payments/account-renewal.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { requireProofFor } from './fresh-proof.ts'
import { findUser, noSuchAccount, type UserRow } from './user-list.ts'
import { requireUserVersion } from './user-version.ts'

interface LockedAccount extends AccountStatus {
  readonly id: string
}

const isActingAdministrator = (account: AccountStatus) =>
  account.account_type === 'admin' && account.enabled

/**
 * Locks the account and all administrators until commit: of two administrators who demote each other at the
 * same time, one is refused.
 *
 * @throws Refusal `not-found`; `forbidden` for a caller who is no longer an administrator
 */
async function lockWithAdministrators(trx: Knex.Transaction, userId: string, callerId: string) {
  const administrators = await User.query(trx).select('id').where('account_type', 'admin')
  const accounts: readonly LockedAccount[] = await lockAccounts(trx, [
    userId,
    ...administrators.map(({ id }) => id),
  ])
  if (!accounts.some((each) => each.id === callerId && isActingAdministrator(each))) {
    throw new Refusal('forbidden', 'This call requires an administrator.')
  }
  const account = accounts.find(({ id }) => id === userId)
  if (account === undefined) throw noSuchAccount()
  return { account, others: accounts.filter(({ id }) => id !== userId) }
}

/** Writes the given fields. */
async function writeFields(
  trx: Knex.Transaction,
  userId: string,
  change: AdminUserChange,
): Promise<void> {
  // The plan and the ban are written with the grants.
  const { account_type: _plan, enabled: _enabled, ...other } = change
  const fields = {
    ...other,
    ...('given_name' in change && { given_name: change.given_name || null }),
    ...('surname' in change && { surname: change.surname || null }),
  }
  if (Object.keys(fields).length === 0) return
  try {
    await User.query(trx).findById(userId).patch(fields)
  } catch (error) {
    if (error instanceof DatabaseError && error.constraint === 'users_email_key') {
      throw new Refusal('conflict', 'Another account already has this email address.', {
        faults: [{ field: 'email', message: 'Another account already has this email address.' }],
      })
    }
    throw error
  }
}

/**
 * Passwords are remembered by address, so those of the old address become invalid.
 *
 * @param movedAt when the account got another address
 */
async function settleChange(
  trx: Knex.Transaction,
  userId: string,
  change: AdminUserChange,
  movedAt: Date | undefined,
): Promise<void> {
  if (change.email !== undefined) {
    await User.query(trx)
      .findById(userId)
      .patch({
        credential_version: NEXT_CREDENTIAL_VERSION,
        ...(movedAt && { email_changed_at: movedAt }),
      })
  }
}

const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** A locked account, as administrators see it. */
async function readLocked(trx: Knex.Transaction, userId: string): Promise<UserRow> {
  const row = await findUser(trx, userId)
  if (row === undefined) throw new Error('a locked account exists')
  return row
}

/**
 * Requires that the last administrator, and the caller, remain administrators, so that a mistake
 * locks nobody out.
 *
 * @throws Refusal `conflict`
 */
function requireAdministratorKept(
  before: LockedAccount,
  after: LockedAccount,
  others: readonly LockedAccount[],
  actor: Actor,
): void {
  if (!isActingAdministrator(before) || isActingAdministrator(after)) return
  if (!others.some(isActingAdministrator)) {
    throw new Refusal(
      'conflict',
      'This is the last administrator. Make another account an administrator first.',
    )
  }
  if (actor.id === before.id) {
    throw new Refusal(
      'conflict',
      'You cannot remove your own administrator role or disable your own account. Ask another administrator.',
    )
  }
}

/** The change that an administrator requests, and the account. */
interface UserChange {
  readonly userId: string
  readonly change: AdminUserChange
  /** The header If-Match. */
  readonly ifMatch: string | undefined
  readonly actor: Actor
}

/**
 * Changes an account. A plan is complimentary: `free` takes it away, and a plan that is paid for stays. A new plan is applied to up to 500 of its domains in the same transaction; a job
 * does the rest.
 *
 * @throws Refusal `not-found`, `version-mismatch`, `conflict` for a taken address, the last administrator and the
 * caller's own role, `step-up-required` (`requireProofFor`)
 */
export async function updateUser(
  { knex, jobs, now }: Pick<Services, 'knex' | 'jobs' | 'now'>,
  administrator: SessionPrincipal,
  { userId, change, ifMatch, actor }: UserChange,
): Promise<UserRow> {
  return knex.transaction(async (trx) => {
    const { account, others } = await lockWithAdministrators(trx, userId, administrator.account.id)
    const before = await readLocked(trx, userId)
    requireUserVersion(before, ifMatch)
    const grants =
      change.account_type === undefined ? {} : changeOfAdministrator(change.account_type)
    const after: LockedAccount = {
      id: userId,
      account_type: (await accountTypeAfter(trx, userId, grants, now())) ?? account.account_type,
      enabled: change.enabled ?? account.enabled,
    }
    const former = before.email
    const isVerified = before.email_verified_at !== null
    const isMoved = change.email !== undefined && !isSameAddress(change.email, former)
    requireProofFor(administrator, { account, after, isMoved }, now())
    requireAdministratorKept(account, after, others, actor)
    if (isVerified && change.email !== undefined) {
      await dropCompetingLinks(trx, userId, change.email)
    }
    await writeFields(trx, userId, change)
    await settleChange(trx, userId, change, isMoved ? now() : undefined)
    if (change.account_type !== undefined || change.enabled !== undefined) {
      const { enabled } = change
      await changeGrants(trx, { jobs }, { userId, change: grants, enabled, actor, now: now() })
      await settleRenewal(trx, { jobs }, userId, now())
    }
    const row = await readLocked(trx, userId)
    if (isMoved && isVerified) {
      // Notifies the reader of the old address that it no longer belongs to the account.
      const told = { userId, to: former, newEmail: row.email, at: now().toISOString() }
      await jobs.enqueue(trx, 'mail', { kind: 'email-changed', ...told })
    }
    return row
  })
}
