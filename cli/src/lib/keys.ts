/** API keys as this program shows them. */
import type { components } from '@homing/openapi/client'
import type { Listing } from './output.ts'
import { ago } from './text.ts'

type ApiKey = components['schemas']['ApiKey']

export const KEY_FIELDS = [
  'id',
  'name',
  'prefix',
  'created_at',
  'last_used_at',
] as const satisfies readonly (keyof ApiKey)[]

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
export function keysMeant(keys: readonly ApiKey[], text: string): ApiKey[] {
  const byId = keys.filter(({ id }) => id === text)
  return byId.length > 0
    ? byId
    : keys.filter(({ name, prefix }) => name === text || prefix === text)
}
