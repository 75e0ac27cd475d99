/**
 * A CAPTCHA before a password is looked at, where others were wrong: a guess then costs work, and what
 * the limits leave takes a program longer. Whether it is asked for depends on what was typed and on the
 * network alone, never on whether there is such an account.
 */
import type { Captcha } from '../integrations/captcha.ts'
import {
  giveBackForNetworks,
  hasNetworkReached,
  requireNetworkAllowance,
} from '../limits/network-limits.ts'
import type { PasswordClaim } from './password.ts'
import type { CredentialServices } from './services.ts'

/** Wrong passwords for a name in an hour, from wherever they came, after which it is asked for. */
const FREE_FOR_NAME = 3
/** The same for a household's network, all names together. Many people may share an address. */
const FREE_FOR_NETWORK = 10

async function isSuspect({ rateLimits }: CredentialServices, { username, ip }: PasswordClaim) {
  const [forName, isNetworkSuspect] = await Promise.all([
    rateLimits.countOf('password-account', username),
    hasNetworkReached(rateLimits, 'password-network', { ip, count: FREE_FOR_NETWORK }),
  ])
  return forName >= FREE_FOR_NAME || isNetworkSuspect
}

/**
 * Whether a password may be tried only after a CAPTCHA, and none was solved.
 *
 * @throws Refusal `rate-limited` when a network has shown too many wrong solutions, `unavailable` when they cannot be checked
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
  // People who share an address and solve theirs must not use up what bounds made-up ones.
  await giveBackForNetworks(services.rateLimits, 'captcha-network', claim.ip)
  return false
}
