/** Vanity name servers as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { bodyOf } from './api.ts'
import type { Fact } from './output.ts'
import { zoneFacts } from './own-zones.ts'

export type VanityStatus = components['schemas']['VanityStatus']

export const VANITY_FIELDS = [
  'available',
  'configured',
  'verified',
  'verification_pending',
  'nameservers',
  'zones_count',
  'message',
  'zone',
] as const satisfies readonly (keyof VanityStatus)[]

const yesNo = (value: boolean) => (value ? 'yes' : 'no')

export const vanityFacts = (status: VanityStatus): Fact[] => [
  ['available', yesNo(status.available)],
  ['configured', yesNo(status.configured)],
  ['verified', yesNo(status.verified)],
  ['used by', `${status.zones_count} other ${status.zones_count === 1 ? 'zone' : 'zones'}`],
  ...(status.zone === null ? [] : zoneFacts(status.zone)),
]

export async function readVanity(api: ApiClient): Promise<VanityStatus> {
  return bodyOf(await api.GET('/api/vanity-ns/status'), 'available', 'configured', 'zones_count')
}
