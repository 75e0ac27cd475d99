/** The second factors of the account: the authenticator app and the recovery codes. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { KEPT_CURRENT } from './kept-current.ts'
import { answerOf } from './problem.ts'

type Schemas = components['schemas']
export type SecondFactors = Schemas['SecondFactors']
export type TotpSetup = Schemas['TotpSetup']

export const secondFactorsQuery = queryOptions({
  ...KEPT_CURRENT,
  queryKey: ['second-factors'],
  queryFn: async ({ signal }) =>
    (await answerOf(api.GET('/api/me/second-factors', { signal }))).data,
})

/** The secret for the app, which is not required until `confirmTotp`. @throws ApiProblem, NetworkFailure */
export async function startTotp(): Promise<TotpSetup> {
  return (await answerOf(api.POST('/api/me/totp'))).data
}

/** @returns recovery codes; null if the account already has some. @throws ApiProblem, NetworkFailure */
export async function confirmTotp(code: string): Promise<readonly string[] | null> {
  const { data } = await answerOf(api.POST('/api/me/totp/confirm', { body: { code } }))
  return data.recovery_codes
}

/** @throws ApiProblem, NetworkFailure */
export async function endTotp(): Promise<void> {
  await answerOf(api.DELETE('/api/me/totp'))
}

/** Replaces the recovery codes. @throws ApiProblem, NetworkFailure */
export async function renewRecoveryCodes(): Promise<readonly string[]> {
  return (await answerOf(api.POST('/api/me/recovery-codes'))).data.recovery_codes ?? []
}
