import type { Confirmation } from '@homing/openapi'
import { requirePresentPassword } from '../../credentials/present-password.ts'
import { tryCode, useCode } from '../../credentials/second-factor-code.ts'
import { isSecondFactorOn, lockFactors } from '../../credentials/second-factors.ts'
import { renewSession } from '../../credentials/session.ts'
import { invalid } from '../../rules/errors.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'
import { givenCode, wrongCode } from './given-code.ts'

const codeWanted = () =>
  invalid({
    field: 'password',
    message: 'Your account has a second factor. Please confirm with one of its codes.',
  })

/**
 * Records that the user of a session proved their identity again: with the second factor if the
 * account has one, otherwise with the password. Attempts count as those of signing in.
 *
 * @returns the session's new token
 * @throws Refusal `validation-failed`, `rate-limited`, `conflict`
 */
export async function confirmIdentity(
  services: Services,
  principal: SessionPrincipal,
  confirmation: Confirmation,
  source: RequestSource,
): Promise<string> {
  return principal.account.hasSecondFactor
    ? confirmByCode(services, principal, confirmation)
    : confirmByPassword(services, principal, confirmation, source)
}

async function confirmByPassword(
  services: Services,
  principal: SessionPrincipal,
  { password }: Confirmation,
  { ip }: RequestSource,
): Promise<string> {
  const { account } = principal
  const field = 'password'
  if (password === undefined)
    throw invalid({ field, message: 'Please enter your current password.' })
  await requirePresentPassword(services, { account, password, ip, field })
  return services.knex.transaction(async (trx) => {
    // A second factor may have been added while the password was evaluated.
    if (isSecondFactorOn(await lockFactors(trx, account.id))) throw codeWanted()
    return renewSession(services, trx, principal)
  })
}

async function confirmByCode(
  services: Services,
  principal: SessionPrincipal,
  { password, ...codes }: Confirmation,
): Promise<string> {
  const { account } = principal
  if (password !== undefined) throw codeWanted()
  const given = givenCode(codes)
  return tryCode(services, account.id, given, () =>
    services.knex.transaction(async (trx) => {
      await lockFactors(trx, account.id)
      if (!(await useCode(services, trx, account.id, given))) throw wrongCode(given)
      return renewSession(services, trx, principal)
    }),
  )
}
