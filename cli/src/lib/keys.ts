/** API keys as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { Fact, Listing } from './output.ts'
import type { ApiClient } from './client.ts'
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
  'version',
  'former_secret',
] as const satisfies readonly (keyof ApiKey)[]

/** The scope of a key, in a few words. */
export function scopeText({ domains, actions, record_types, networks }: ApiKey['scope']): string {
  const parts = [
    actions?.join(', '),
    record_types?.join(', '),
    domains && `on ${domains.join(', ')}`,
    networks && `from ${networks.join(', ')}`,
  ]
  const text = parts.filter((part) => typeof part === 'string').join('; ')
  return text === '' ? 'all domains' : printable(text)
}

export const keyListing: Listing<ApiKey> = {
  columns: [
    { title: 'ID', of: ({ id }) => id },
    { title: 'NAME', of: ({ name }) => name },
    { title: 'PREFIX', of: ({ prefix }) => prefix },
    { title: 'CREATED', of: ({ created_at }) => ago(created_at, Date.now()), dropFirst: 1 },
    {
      title: 'LAST USED',
      of: ({ last_used_at }) => (last_used_at === null ? 'never' : ago(last_used_at, Date.now())),
    },
    {
      title: 'SCOPE',
      of: ({ scope, is_expired }) => (is_expired ? 'expired' : scopeText(scope)),
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

const allOr = (list: readonly string[] | null) => list?.join(', ') ?? 'all'

export function keyFacts(key: ApiKey): Fact[] {
  const { scope, unused_days: unusedDays, former_secret: former } = key
  return [
    ['id', key.id],
    ['name', key.name],
    ['prefix', key.prefix],
    ['domains', allOr(scope.domains)],
    ['actions', allOr(scope.actions)],
    ['record types', allOr(scope.record_types)],
    ['networks', allOr(scope.networks)],
    ['state', key.is_expired ? 'expired' : 'works'],
    ['expires', key.expires_at],
    ['expires unused', unusedDays === null ? null : `after ${unusedDays} days`],
    ['created', key.created_at],
    ['last used', key.last_used_at],
    ['from', key.last_used_ip],
    ['by', key.last_client],
    ['old secret', former && `${former.prefix}… works until ${former.expires_at}`],
  ]
}

/** The keys with this id, name or prefix. */
function keysMeant(keys: readonly ApiKey[], text: string): ApiKey[] {
  const byId = keys.filter(({ id }) => id === text)
  return byId.length > 0
    ? byId
    : keys.filter(({ name, prefix }) => name === text || prefix === text)
}

/** The one key with this id, name or prefix. @throws CommandFailure when no key matches, or several do */
export function keyMeant(keys: readonly ApiKey[], text: string): ApiKey {
  const [key, another] = keysMeant(keys, text)
  if (key === undefined) {
    throw new CommandFailure(EXIT.notFound, `You have no key "${text}". See homing keys.`)
  }
  if (another !== undefined) throw usage(`Several keys match "${text}". Give the id of one.`)
  return key
}

/** As `keyMeant`, for the keys that the service lists. */
export async function findKey(api: ApiClient, text: string): Promise<ApiKey> {
  return keyMeant(listOf(await api.GET('/api/api-keys/'), 'id'), text)
}
