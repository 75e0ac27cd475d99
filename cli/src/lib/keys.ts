/** API keys as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { Listing } from './output.ts'
import type { ApiClient } from '@homing/openapi/client'
import { listOf } from './api.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure, usage } from './failure.ts'
import { ago, printable } from './text.ts'

type ApiKey = components['schemas']['ApiKey']

export const KEY_FIELDS = [
  'id',
  'name',
  'prefix',
  'scope',
  'created_at',
  'expires_at',
  'unused_days',
  'is_expired',
  'last_used_at',
  'last_used_ip',
  'last_client',
  'rotated_at',
  'former_secret',
] as const satisfies readonly (keyof ApiKey)[]

/** What a key is for, in a few words. */
export function scopeText({ domains, actions, record_types, networks }: ApiKey['scope']): string {
  const parts = [
    actions?.join(', '),
    record_types?.join(', '),
    domains && `on ${domains.join(', ')}`,
    networks && `from ${networks.join(', ')}`,
  ]
  const text = parts.filter((part) => typeof part === 'string').join('; ')
  return text === '' ? 'all names' : printable(text)
}

export const keyListing: Listing<ApiKey> = {
  columns: [
    { title: 'ID', of: ({ id }) => id },
    { title: 'NAME', of: ({ name }) => name },
    { title: 'BEGINS', of: ({ prefix }) => prefix },
    { title: 'MADE', of: ({ created_at }) => ago(created_at, Date.now()), dropFirst: 1 },
    {
      title: 'LAST USED',
      of: ({ last_used_at }) => (last_used_at === null ? 'never' : ago(last_used_at, Date.now())),
    },
    {
      title: 'FOR',
      of: ({ scope, is_expired }) => (is_expired ? 'nothing: it has ended' : scopeText(scope)),
      dropFirst: 2,
    },
  ],
  fields: ({ id, name, prefix, created_at, last_used_at }) => [
    id,
    name,
    prefix,
    created_at,
    last_used_at,
  ],
}

/** The keys that somebody means by an id, a name or a beginning. */
function keysMeant(keys: readonly ApiKey[], text: string): ApiKey[] {
  const byId = keys.filter(({ id }) => id === text)
  return byId.length > 0
    ? byId
    : keys.filter(({ name, prefix }) => name === text || prefix === text)
}

/** The one key that somebody means. @throws CommandFailure when there is none, or more than one */
export function keyMeant(keys: readonly ApiKey[], text: string): ApiKey {
  const [key, another] = keysMeant(keys, text)
  if (key === undefined) {
    throw new CommandFailure(EXIT.notFound, `You have no key "${text}". See homing keys.`)
  }
  if (another !== undefined) throw usage(`Several keys are called "${text}". Give the id of one.`)
  return key
}

/** As `keyMeant`, of the keys that the service tells. */
export async function findKey(api: ApiClient, text: string): Promise<ApiKey> {
  return keyMeant(listOf(await api.GET('/api/api-keys/'), 'id'), text)
}
