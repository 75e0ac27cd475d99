/**
 * Whose password is this? The one way in which passwords are tried, by the sign-in and by
 * the update URLs.
 *
 * Every try is counted before it is made, so that many at once cannot pass a limit
 * together, and taken back when it was right or could not be evaluated. The same pair asked for many times at once is
 * evaluated once. An account that does not exist costs what one costs that does.
 *
 * Where machines call that go on for ever, a password that was right a moment ago at the same
 * address is right still, and the same wrong one again is wrong, as long as the account has the
 * credentials of then. Neither is evaluated nor uses a try up, so a router goes on while somebody
 * guesses elsewhere, and the right one is taken as soon as somebody has put it into the router.
 * A person's password is evaluated each time.
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
  /** A user name or an e-mail address. */
  readonly username: string
  readonly password: string
  readonly ip: string
}

/**
 * `account`: the password was right for that version of the account's credentials; whoever
 * relies on it compares `credentialVersion` with the account's row, and when they differ
 * asks again with `afresh`. The account may be disabled or not verified: the caller decides.
 */
export type PasswordVerdict =
  | { readonly kind: 'account'; readonly userId: string; readonly credentialVersion: number }
  /** `userId`: the account that the name means, if there is one. Nobody is told. */
  | { readonly kind: 'wrong'; readonly userId?: string | undefined }
  | { readonly kind: 'throttled'; readonly retryAfterSeconds: number }

/** A try whose evaluation tells the owner of an account something: a wrong password, or a right one from a network that was not known. */
export interface NotableTry {
  readonly userId: string
  readonly isRight: boolean
}

export interface PasswordOptions {
  /** Try it even when it was right a moment ago. */
  readonly afresh?: boolean
  /** Whoever calls is a machine: what was right or wrong a moment ago is so still. A person is told to wait. */
  readonly isMachine?: boolean
  /** Called at most once, before the verdict. Not called for a call that shares the evaluation or the memory of another one. */
  readonly onNotable?: (tried: NotableTry) => void
}

const underWay = new WeakMap<CredentialServices, Map<string, Promise<PasswordVerdict>>>()

/** Tries a password. A machine's that was right in the last minutes costs a digest and no query. */
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
  // Apart by network, as tries are counted: a guess must not ride on somebody else's allowance, and a household whose
  // machines all come at the full minute has tried once.
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
    // Nothing was told of the password: too much to do, or a database that is away, is nobody's guess.
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

/** The accounts that a name may mean, and for each place whether the password is its own. */
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

/** What a try was counted against. */
type Taken = readonly (readonly [LimitName, string])[]

type Allowance = { readonly taken: Taken } | { readonly retryAfterSeconds: number }

async function giveBack({ rateLimits }: CredentialServices, taken: Taken): Promise<void> {
  for (const [name, limitKey] of taken) await rateLimits.giveBack(name, limitKey)
}

/**
 * Counts a try against its name and network together, its networks, and its name. The first
 * is asked first, because it refuses most of those who guess, and without a query.
 */
async function takeAllowance(
  { rateLimits, knex }: CredentialServices,
  { username, ip }: PasswordClaim,
): Promise<Allowance> {
  const network = networkOf(ip)
  const pair = `${username} ${network}`
  // Each name that somebody goes through makes another pair, which would be a row each time.
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
  // Nothing was tried, so it does not count for other accounts of the network.
  await giveBackForNetworks(rateLimits, 'password-network', ip)
  return { retryAfterSeconds: wait }
}
