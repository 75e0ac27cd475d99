/**
 * Verifies passwords. Sign-in and the update URLs use this one way.
 *
 * Every attempt is counted before it is made, so that concurrent attempts cannot exceed a limit together; the count
 * is refunded when the password was right or could not be evaluated. Concurrent attempts with the same name and
 * password are evaluated once. An account that does not exist costs as much time as one that does.
 *
 * Machines repeat their calls indefinitely. For them, a password that was right recently from the same address is
 * accepted again, and a wrong password is refused again, while the account's credentials are unchanged. Neither is
 * evaluated nor uses up an attempt. So a router continues to work while somebody guesses elsewhere, and a corrected
 * password is accepted at once. A person's password is evaluated each time.
 */
import { countedNetworks, networkOf } from '../rules/networks.ts'
import {
  giveBackForNetworks,
  networksRefusedFor,
  takeForNetworks,
} from '../limits/network-limits.ts'
import type { LimitName } from '../limits/rate-limits.ts'
import { findLoginAccounts, type LoginAccount } from './find-account.ts'
import { isKnownNetwork, rememberNetwork } from './known-networks.ts'
import { NOBODYS_HASH } from './password-hasher.ts'
import type { CredentialServices } from './services.ts'

export interface PasswordClaim {
  /** A user name or an email address. */
  readonly username: string
  readonly password: string
  readonly ip: string
}

/**
 * `account`: the password was right for that version of the account's credentials. A caller that
 * relies on it must compare `credentialVersion` with the account's row, and ask again with `afresh`
 * when they differ. The account may be disabled or not verified: the caller must check this.
 */
export type PasswordVerdict =
  | { readonly kind: 'account'; readonly userId: string; readonly credentialVersion: number }
  /** `userId`: the account that the name means, if there is one. Must not be disclosed to the caller. */
  | { readonly kind: 'wrong'; readonly userId?: string | undefined }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }

/** An attempt that the owner of the account should see: a wrong password, or a right one from an unknown network. */
export interface NotableTry {
  readonly userId: string
  readonly isRight: boolean
}

export interface PasswordOptions {
  /** Evaluates the password even if it was right recently. */
  readonly afresh?: boolean
  /** The caller is a machine: a recent result is reused. A person is told to wait. */
  readonly isMachine?: boolean
  /**
   * Called at most once, before the verdict. Not called when the call shares the evaluation or the remembered result of
   * another call.
   */
  readonly onNotable?: (tried: NotableTry) => void
}

const underWay = new WeakMap<CredentialServices, Map<string, Promise<PasswordVerdict>>>()

/** Verifies a password. For a machine, a password that was right in the last minutes costs a digest and no query. */
export async function authenticatePassword(
  services: CredentialServices,
  claim: PasswordClaim,
  options: PasswordOptions = {},
): Promise<PasswordVerdict> {
  const { passwordMemory } = services
  const digest = passwordMemory.digest(claim.username, claim.password)
  if (options.afresh === true) passwordMemory.forget(digest, claim.ip)
  const isMachine = options.isMachine === true
  const remembered = isMachine ? passwordMemory.recall(digest, claim.ip) : undefined
  if (remembered !== undefined) {
    const { userId, credentialVersion } = remembered
    return { kind: 'account', userId, credentialVersion }
  }

  const pending = underWay.get(services) ?? new Map<string, Promise<PasswordVerdict>>()
  underWay.set(services, pending)
  // Separate per network, as attempts are counted: a guess must not use the attempts of another network, and machines
  // of one household that all call at the full minute count as one attempt.
  const key = `${digest} ${networkOf(claim.ip)} ${isMachine}`
  let settling = pending.get(key)
  if (settling === undefined) {
    settling = settlePassword(services, claim, digest, options).finally(() => pending.delete(key))
    pending.set(key, settling)
  }
  const verdict = await settling
  if (verdict.kind === 'account') passwordMemory.remember(digest, claim.ip, verdict)
  return verdict
}

/** The accounts that a name may mean, and the versions of their credentials, as one text. */
const stateOf = (places: readonly (LoginAccount | undefined)[]) =>
  places.map((place) => (place ? `${place.id} ${place.credential_version}` : '')).join()

async function settlePassword(
  services: CredentialServices,
  claim: PasswordClaim,
  digest: string,
  { isMachine = false, onNotable }: PasswordOptions,
): Promise<PasswordVerdict> {
  const wrongFor = isMachine ? services.passwordMemory.recallWrong(digest) : undefined
  if (wrongFor !== undefined) {
    const places = await findLoginAccounts(services.knex, claim.username)
    if (stateOf(places) === wrongFor) return { kind: 'wrong' }
  }
  return tryPassword(services, claim, digest, onNotable)
}

async function tryPassword(
  services: CredentialServices,
  claim: PasswordClaim,
  digest: string,
  onNotable?: PasswordOptions['onNotable'],
): Promise<PasswordVerdict> {
  const allowance = await takeAllowance(services, claim)
  if ('retryAfterSeconds' in allowance) return { kind: 'throttled', ...allowance }
  const tried = await evaluate(services, claim).catch(async (error: unknown) => {
    // The password was not evaluated because of overload or an unavailable database, so this does not count as a guess.
    await giveBack(services, allowance.taken).catch(() => undefined)
    throw error
  })
  const { places, matches } = tried
  const account = places.find((place, n) => place !== undefined && matches[n] === true)
  if (account === undefined) {
    services.passwordMemory.rememberWrong(digest, stateOf(places))
    const meant = places.find((place) => place?.is_verified) ?? places.find(Boolean)
    if (meant !== undefined) onNotable?.({ userId: meant.id, isRight: false })
    return { kind: 'wrong', userId: meant?.id }
  }
  await giveBack(services, allowance.taken)
  const { id: userId, credential_version: credentialVersion } = account
  const isNewNetwork = await rememberNetwork(services, { userId, credentialVersion }, claim.ip)
  if (isNewNetwork) onNotable?.({ userId, isRight: true })
  return { kind: 'account', userId, credentialVersion }
}

/** The accounts that a name may mean, and for each place whether the password matches. */
async function evaluate(
  { knex, passwords }: CredentialServices,
  { username, password }: PasswordClaim,
) {
  const places = await findLoginAccounts(knex, username)
  const matches = await Promise.all(
    places.map((account) => passwords.verify(account?.password_hash || NOBODYS_HASH, password)),
  )
  return { places, matches }
}

/** The limits that an attempt was counted against. */
type Taken = readonly (readonly [LimitName, string])[]

type Allowance = { readonly taken: Taken } | { readonly retryAfterSeconds: number }

async function giveBack({ rateLimits }: CredentialServices, taken: Taken): Promise<void> {
  for (const [name, limitKey] of taken) await rateLimits.giveBack(name, limitKey)
}

/**
 * Counts an attempt against the pair of name and network, against its networks, and against its
 * name. The pair is checked first, because it refuses most guesses without a query.
 */
async function takeAllowance(
  { rateLimits, knex }: CredentialServices,
  { username, ip }: PasswordClaim,
): Promise<Allowance> {
  const network = networkOf(ip)
  const pair = `${username} ${network}`
  // Checked before the pair: each guessed name makes another pair, which would insert a row each time.
  const refused = networksRefusedFor(rateLimits, 'password-network', ip)
  if (refused !== undefined) return { retryAfterSeconds: refused }
  const pairWait = await rateLimits.take('password-pair', pair)
  if (pairWait !== undefined) return { retryAfterSeconds: pairWait }
  const networkWait = await takeForNetworks(rateLimits, 'password-network', ip)
  if (networkWait !== undefined) return { retryAfterSeconds: networkWait }
  const taken: [LimitName, string][] = [
    ['password-pair', pair],
    ...countedNetworks(ip).map((each) => ['password-network', each.network] as [LimitName, string]),
  ]
  const wait = await rateLimits.take('password-account', username)
  if (wait === undefined) return { taken: [...taken, ['password-account', username]] }
  const mayTry =
    (await isKnownNetwork(knex, username, network)) &&
    (await rateLimits.take('password-known', username)) === undefined
  if (mayTry) return { taken: [...taken, ['password-known', username]] }
  // The password was not tried, so this must not count against other accounts of the network.
  await giveBackForNetworks(rateLimits, 'password-network', ip)
  return { retryAfterSeconds: wait }
}
