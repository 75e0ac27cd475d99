/**
 * Requires a CAPTCHA before a password is evaluated, after several wrong passwords. A guess then costs
 * work, and an attacker needs more time to use up the limits. The requirement depends only on the typed
 * name and the network, never on whether the account exists.
 */
import type { Captcha } from '../integrations/captcha.ts'
import {
  giveBackForNetworks,
  hasNetworkReached,
  requireNetworkAllowance,
} from '../limits/network-limits.ts'
import type { PasswordClaim } from './password.ts'
import type { CredentialServices } from './services.ts'

/** Wrong passwords for a name within an hour, from any network, after which a CAPTCHA is required. */
const FREE_FOR_NAME = 3
/** The same for a network, for all names together. Many people may share an address. */
const FREE_FOR_NETWORK = 10

async function isSuspect({ rateLimits }: CredentialServices, { username, ip }: PasswordClaim) {
  const [forName, isNetworkSuspect] = await Promise.all([
    rateLimits.countOf('password-account', username),
    hasNetworkReached(rateLimits, 'password-network', { ip, count: FREE_FOR_NETWORK }),
  ])
  return forName >= FREE_FOR_NAME || isNetworkSuspect
}

/**
 * Whether a CAPTCHA is required before the password may be tried, and was not solved.
 *
 * @throws Refusal `rate-limited` when a network sent too many wrong solutions, `unavailable` when solutions cannot be
 * checked
 */
export async function lacksCaptcha(
  services: CredentialServices,
  captcha: Captcha,
  claim: PasswordClaim,
  token: string | undefined,
): Promise<boolean> {
  if (!(await isSuspect(services, claim))) return false
  if (token === undefined) return true
  await requireNetworkAllowance(services, 'captcha-network', claim.ip)
  if (!(await captcha.accepts(token, 'login'))) return true
  // Correct solutions must not use up the limit on wrong solutions of a shared address.
  await giveBackForNetworks(services.rateLimits, 'captcha-network', claim.ip)
  return false
}
