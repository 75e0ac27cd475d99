/** What currently concerns the account, the most important first. */
import type { components } from '@homing/openapi/client'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { answerOf } from './problem.ts'

export type AccountNotice = components['schemas']['Notice']

/** The browser reads again while the page is visible: domains fall silent and keys expire without a call of this page. */
const READ_EVERY_MS = 120_000

export const noticesQuery = queryOptions({
  queryKey: ['notices'],
  queryFn: async ({ signal }) => (await answerOf(api.GET('/api/me/notices', { signal }))).data,
  refetchInterval: READ_EVERY_MS,
})

/** Hides a notice on all devices, until its cause occurs again. @throws ApiProblem, NetworkFailure */
export async function dismissNotice(id: string): Promise<void> {
  await answerOf(api.POST('/api/me/notices/{id}/dismiss', { params: { path: { id } } }))
}

/** The kinds about domains, zones and keys, which the dashboard lists above its table. */
const LISTED: readonly AccountNotice['kind'][] = [
  'domains-locked',
  'zones-broken',
  'zones-withheld',
  'domains-over-limit',
  'updates-refused',
  'updates-late',
  'family-not-updated',
  'domains-silent',
  'keys-not-in-plan',
  'keys-expiring',
  'domain-limit',
]

export const isListed = ({ kind }: AccountNotice): boolean => LISTED.includes(kind)
