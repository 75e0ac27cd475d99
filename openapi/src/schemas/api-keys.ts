import { Type, type Static, type TSchema } from 'typebox'
import { KEY_ACTIONS, RECORD_TYPES } from '../vocabulary.ts'
import { Id, nullable, record, ref, Time } from '../schema.ts'

const anyOrSome = <S extends TSchema>(items: S, maxItems: number, description: string) =>
  nullable(Type.Array(items, { minItems: 1, maxItems, description }))

const scope = {
  domains: anyOrSome(
    Type.String({ maxLength: 300, examples: ['home.example.net', '*.ci.example.net'] }),
    100,
    'Names, and patterns: `*.example.net` is everything below example.net, `ci-*.example.net` each name whose first label begins with `ci-`. A name’s wildcard belongs to it. Null: all your names.',
  ),
  actions: anyOrSome(
    Type.Enum(KEY_ACTIONS),
    KEY_ACTIONS.length,
    'What it may do with them. Update URLs need `update`. Null: everything.',
  ),
  record_types: anyOrSome(
    Type.Enum(RECORD_TYPES),
    RECORD_TYPES.length,
    'Records that it may set or take away; it sees all of a name that it sees. Null: all.',
  ),
  networks: anyOrSome(
    Type.String({ maxLength: 60, examples: ['203.0.113.0/24', '2001:db8::/32'] }),
    50,
    'Addresses and networks that it is taken from. Null: all.',
  ),
}

export const KeyScope = record('KeyScope', scope, 'What a key is for.')
export type KeyScope = Static<typeof KeyScope>

export const NewKeyScope = record(
  'NewKeyScope',
  {
    domains: Type.Optional(scope.domains),
    actions: Type.Optional(scope.actions),
    record_types: Type.Optional(scope.record_types),
    networks: Type.Optional(scope.networks),
  },
  'What a key shall be for. What is left out is not limited.',
)
export type NewKeyScope = Static<typeof NewKeyScope>

const unusedDays = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 365,
    description: 'It ends when nobody used it for so many days.',
  }),
)

export const NewApiKey = record('NewApiKey', {
  name: Type.String({
    maxLength: 200,
    description: '1 to 50 characters; spaces around it are dropped.',
    examples: ['router'],
  }),
  scope: Type.Optional(ref(NewKeyScope)),
  expires_at: Type.Optional(nullable(Time)),
  unused_days: Type.Optional(unusedDays),
})
export type NewApiKey = Static<typeof NewApiKey>

export const FormerSecret = record(
  'FormerSecret',
  {
    prefix: Type.String({ description: 'How it begins.' }),
    expires_at: Time,
    last_used_at: nullable(Time),
    last_used_ip: nullable(Type.String()),
    last_client: nullable(Type.String()),
  },
  'The secret that a key had before its last rotation, while it is still good.',
)
export type FormerSecret = Static<typeof FormerSecret>

const known = {
  id: Id,
  name: Type.String(),
  prefix: Type.String({ description: 'How the key begins, to know it again.' }),
  scope: ref(KeyScope),
  created_at: Time,
  expires_at: nullable(Time),
  unused_days: unusedDays,
  is_expired: Type.Boolean({ description: 'Its time is over, or nobody used it for too long.' }),
  last_used_at: nullable(Time),
  last_used_ip: nullable(Type.String({ description: 'From where it was last used.' })),
  last_client: nullable(
    Type.String({ description: 'With what it was last used, as that calls itself.' }),
  ),
  rotated_at: nullable(Time),
  former_secret: Type.Unsafe<FormerSecret | null>({
    anyOf: [{ $ref: 'FormerSecret#' }, { type: 'null' }],
  }),
}

export const ApiKey = record('ApiKey', known, 'A key, without what makes it secret.')
export type ApiKey = Static<typeof ApiKey>

export const CreatedApiKey = record('CreatedApiKey', {
  ...known,
  key: Type.String({ description: 'The key itself. It is shown this once.' }),
})
export type CreatedApiKey = Static<typeof CreatedApiKey>

export const RotatedApiKey = record('RotatedApiKey', {
  ...known,
  key: Type.String({ description: 'The new secret. It is shown this once.' }),
})
export type RotatedApiKey = Static<typeof RotatedApiKey>

export const KeyRotation = record('KeyRotation', {
  overlap_hours: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 720,
      description: 'How long the former secret stays good: 24 hours when not given; 0 ends it now.',
    }),
  ),
})
export type KeyRotation = Static<typeof KeyRotation>

export const KeyTest = record('KeyTest', {
  is_allowed: Type.Boolean(),
  reasons: Type.Array(Type.String({ description: 'A sentence for the person whose key it is.' })),
})
export type KeyTest = Static<typeof KeyTest>
