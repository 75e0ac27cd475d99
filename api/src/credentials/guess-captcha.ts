/**
 * A CAPTCHA before a password is looked at, where others were wrong: a guess then costs work, and what
 * the limits leave takes a program longer. Whether it is asked for depends on what was typed and on the
 * network alone, never on whether there is such an account.
 */
import type { Services } from '../services.ts'
import { networkOf } from '../domain/networks.ts'
import { requireAllowance } from '../integrations/allowance.ts'
import type { Captcha } from '../integrations/captcha.ts'
import type { PasswordClaim } from './password.ts'

/** Wrong passwords for a name in an hour, from wherever they came, after which it is asked for. */
const FREE_FOR_NAME = 3
/** The same for a network, all names together. People who share an address are many. */
const FREE_FOR_NETWORK = 10

async function isSuspect({ rateLimits }: Services, { username, ip }: PasswordClaim) {
  const [forName, forNetwork] = await Promise.all([
    rateLimits.countOf('password-account', username),
    rateLimits.countOf('password-network', networkOf(ip)),
  ])
  return forName >= FREE_FOR_NAME || forNetwork >= FREE_FOR_NETWORK
}

/**
 * Whether a password may be tried only after a CAPTCHA, and none was solved.
 *
 * @throws Refusal `rate-limited` when a network has shown too many that were none, `unavailable` when they cannot be checked
 */
export async function lacksCaptcha(
  services: Services,
  captcha: Captcha,
  claim: PasswordClaim,
  token: string | undefined,
): Promise<boolean> {
  if (!(await isSuspect(services, claim))) return false
  if (token === undefined) return true
  const network = networkOf(claim.ip)
  await requireAllowance(services, 'captcha-network', network)
  if (!(await captcha.accepts(token, 'login'))) return true
  // People who share an address and solve theirs must not use up what bounds made-up ones.
  await services.rateLimits.giveBack('captcha-network', network)
  return false
}
