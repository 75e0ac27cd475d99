import { Type, type Static, type TSchema } from 'typebox'
import { KEY_ACTIONS, SCOPE_RECORD_TYPES } from '../vocabulary.ts'
import { Id, nullable, record, ref, Time } from '../schema.ts'

const anyOrSome = <S extends TSchema>(items: S, maxItems: number, description: string) =>
  nullable(Type.Array(items, { minItems: 1, maxItems, description }))

const scope = {
  domains: anyOrSome(
    Type.String({ maxLength: 300, examples: ['home.example.net', '*.ci.example.net'] }),
    100,
    'Domains and patterns. `*.example.net` matches every domain below example.net; `ci-*.example.net` matches every domain whose first label begins with `ci-`. A domain includes its wildcard, and the records at and below it. `_acme-challenge.home.example.net`, which is not a domain, stands for the records of that owner name alone. Null: all your domains.',
  ),
  actions: anyOrSome(
    Type.Enum(KEY_ACTIONS),
    KEY_ACTIONS.length,
    'The actions that the key is allowed to take. Update URLs require `update`. Null: all actions.',
  ),
  record_types: anyOrSome(
    Type.Enum(SCOPE_RECORD_TYPES),
    SCOPE_RECORD_TYPES.length,
    'The types of records that the key can set or remove. A key with this limit cannot set records of other types. It can read all records of a domain in its scope. Null: all types.',
  ),
  networks: anyOrSome(
    Type.String({ maxLength: 60, examples: ['203.0.113.0/24', '2001:db8::/32'] }),
    50,
    'The IP addresses and networks from which the key is accepted. Null: all.',
  ),
}

export const KeyScope = record('KeyScope', scope, 'The scope of an API key.')
export type KeyScope = Static<typeof KeyScope>

export const NewKeyScope = record(
  'NewKeyScope',
  {
    domains: Type.Optional(scope.domains),
    actions: Type.Optional(scope.actions),
    record_types: Type.Optional(scope.record_types),
    networks: Type.Optional(scope.networks),
  },
  'The scope of a new API key. Absent fields do not limit the key.',
)
export type NewKeyScope = Static<typeof NewKeyScope>

const unusedDays = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 365,
    description: 'The key expires after this many days without use.',
  }),
)

export const NewApiKey = record('NewApiKey', {
  name: Type.String({
    maxLength: 200,
    description: '1 to 50 characters. Surrounding spaces are removed.',
    examples: ['router'],
  }),
  scope: Type.Optional(ref(NewKeyScope)),
  expires_at: Type.Optional(nullable(Time)),
  unused_days: Type.Optional(unusedDays),
})
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyChange = record(
  'ApiKeyChange',
  {
    name: Type.Optional(NewApiKey.properties.name),
    scope: Type.Optional(ref(KeyScope)),
    expires_at: Type.Optional(nullable(Time)),
    unused_days: Type.Optional(unusedDays),
  },
  'Absent fields are not changed. A scope replaces the whole scope.',
)
export type ApiKeyChange = Static<typeof ApiKeyChange>

export const FormerSecret = record(
  'FormerSecret',
  {
    prefix: Type.String({ description: 'The first characters of the secret.' }),
    expires_at: Time,
    last_used_at: nullable(Time),
    last_used_ip: nullable(Type.String()),
    last_client: nullable(Type.String()),
  },
  'The secret that a key had before its last rotation, while it still works.',
)
export type FormerSecret = Static<typeof FormerSecret>

const known = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'The first characters of the key, which identify it.' }),
  scope: ref(KeyScope),
  created_at: Time,
  expires_at: nullable(Time),
  unused_days: unusedDays,
  is_expired: Type.Boolean({
    description:
      'Whether the key has expired, by its date or because it was not used for too long.',
  }),
  last_used_at: nullable(Time),
  last_used_ip: nullable(Type.String({ description: 'The IP address of the last use.' })),
  last_client: nullable(Type.String({ description: 'The `User-Agent` of the last use.' })),
  rotated_at: nullable(Time),
  version: Type.Integer({
    description: 'Increases with each change of the name, the scope or the expiry.',
  }),
  former_secret: Type.Unsafe<FormerSecret | null>({
    anyOf: [{ $ref: 'FormerSecret#' }, { type: 'null' }],
  }),
}

export const ApiKey = record('ApiKey', known, 'An API key, without its secret.')
export type ApiKey = Static<typeof ApiKey>

export const CreatedApiKey = record('CreatedApiKey', {
  ...known,
  key: Type.String({ description: 'The key itself. It is shown only once.' }),
})
export type CreatedApiKey = Static<typeof CreatedApiKey>

export const RotatedApiKey = record('RotatedApiKey', {
  ...known,
  key: Type.String({ description: 'The new secret. It is shown only once.' }),
})
export type RotatedApiKey = Static<typeof RotatedApiKey>

export const KeyRotation = record('KeyRotation', {
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 720,
      description: 'How long the former secret keeps working. Default: 24 hours. 0 ends it now.',
    }),
  ),
})
export type KeyRotation = Static<typeof KeyRotation>

export const KeyTest = record('KeyTest', {
  is_allowed: Type.Boolean(),
  reasons: Type.Array(Type.String({ description: 'A sentence for the owner of the key.' })),
})
export type KeyTest = Static<typeof KeyTest>
