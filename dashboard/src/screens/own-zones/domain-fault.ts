import { ApiProblem } from '../../api/problem.ts'

/** Problems with the domain as a whole. They name no field, but the form shows them beside the domain. */
const ABOUT_DOMAIN = new Set(['name-not-allowed', 'conflict'])

/** What is wrong with the typed domain; undefined for any other error. */
export function domainFault(error: Error | null): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined
  return error.of('domain') ?? (ABOUT_DOMAIN.has(error.code) ? error.message : undefined)
}
