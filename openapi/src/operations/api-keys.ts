/** API keys for pipelines and scripts. They give access to domains and to nothing else of the account. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { KEY_ACTIONS, SCOPE_RECORD_TYPES } from '../vocabulary.ts'
import {
  ApiKey,
  ApiKeyChange,
  CreatedApiKey,
  KeyRotation,
  KeyTest,
  NewApiKey,
  RotatedApiKey,
} from '../schemas/api-keys.ts'

const example: ApiKey = {
  id: '3',
  name: 'router',
  prefix: 'ak_4mTq9zX',
  scope: {
    domains: ['home.example.net'],
    actions: ['read', 'update'],
    record_types: null,
    networks: null,
  },
  created_at: '2026-05-12T08:30:00.000Z',
  expires_at: null,
  unused_days: 90,
  is_expired: false,
  last_used_at: null,
  last_used_ip: null,
  last_client: null,
  rotated_at: null,
  version: 1,
  former_secret: null,
}

export const apiKeys = {
  listApiKeys: {
    method: 'GET',
    url: '/api/api-keys/',
    summary: 'List your API keys',
    description: 'Without `range`, the list has all keys.',
    access: 'session',
    query: listQuery({
      sort: ['id', 'name', 'created_at', 'last_used_at'],
      filter: {
        q: 'a part of the name or of the prefix',
        id: 'one id or a list of ids',
      },
    }),
    success: {
      status: 200,
      description: 'The keys, without their secrets.',
      schema: Type.Array(ref(ApiKey)),
      example: [example],
      list: true,
    },
    problems: ['plan-required', 'range-not-satisfiable'],
  },
  createApiKey: {
    method: 'POST',
    url: '/api/api-keys/',
    summary: 'Create an API key',
    description:
      'A key without a scope gives access to all your domains until you delete it. API keys never give access to keys, passwords, payments or administration.',
    access: 'session',
    stepUp: true,
    idempotencyKey: 'secret',
    body: ref(NewApiKey),
    bodyExample: {
      name: 'router',
      scope: { domains: ['home.example.net'], actions: ['read', 'update'] },
      unused_days: 90,
    },
    success: {
      status: 201,
      description: 'The key. It is shown only once.',
      schema: ref(CreatedApiKey),
      example: { ...example, key: 'ak_4mTq9zX…' },
    },
    problems: ['plan-required', 'key-limit'],
  },
  updateApiKey: {
    method: 'PUT',
    url: '/api/api-keys/{id}',
    summary: 'Change the name, scope or expiry of an API key',
    description:
      'The secret stays the same, and the change takes effect at once, also for a former secret that still works. A change that lets the key do more (more domains, actions, record types or networks, or a later expiry) requires a confirmed identity, and the owner is notified by mail. A change of `unused_days` begins the period again, but a shorter period never ends later than the former one. With `If-Match`, the key must have this version.',
    access: 'session',
    stepUp: 'when-widened',
    params: Type.Object({ id: Id }),
    body: ref(ApiKeyChange),
    bodyExample: {
      name: 'router',
      scope: {
        domains: ['home.example.net'],
        actions: ['update'],
        record_types: null,
        networks: ['203.0.113.0/24'],
      },
      expires_at: '2027-05-12T00:00:00.000Z',
    },
    success: {
      status: 200,
      description: 'The changed key. The header `ETag` has its version.',
      schema: ref(ApiKey),
      example: { ...example, version: 2 },
    },
    problems: ['not-found', 'plan-required', 'version-mismatch'],
  },
  rotateApiKey: {
    method: 'POST',
    url: '/api/api-keys/{id}/rotate',
    summary: 'Rotate an API key',
    description:
      'The key gets a new secret and keeps its scope. The former secret works until the overlap ends, so that clients keep working while you replace it. The list shows whether the former secret is still used. Rotating again ends a former secret that still works.',
    access: 'session',
    stepUp: true,
    params: Type.Object({ id: Id }),
    body: ref(KeyRotation),
    bodyExample: { overlap_hours: 24 },
    success: {
      status: 200,
      description: 'The key with its new secret, which is shown only once.',
      schema: ref(RotatedApiKey),
      example: {
        ...example,
        rotated_at: '2026-06-12T08:30:00.000Z',
        former_secret: {
          prefix: 'ak_pQ1vBn8',
          expires_at: '2026-06-13T08:30:00.000Z',
          last_used_at: null,
          last_used_ip: null,
          last_client: null,
        },
        key: 'ak_4mTq9zX…',
      },
    },
    problems: ['not-found', 'plan-required', 'conflict'],
  },
  testApiKey: {
    method: 'GET',
    url: '/api/api-keys/{id}/test',
    summary: 'Test the scope of an API key',
    access: 'session',
    params: Type.Object({ id: Id }),
    query: Type.Object({
      action: Type.Enum(KEY_ACTIONS),
      domain: Type.Optional(Type.String({ maxLength: 1024, examples: ['home.example.net'] })),
      record_type: Type.Optional(Type.Enum(SCOPE_RECORD_TYPES)),
      ip: Type.Optional(
        Type.String({
          maxLength: 60,
          description: 'The IP address that the call would come from.',
        }),
      ),
    }),
    success: {
      status: 200,
      description: 'Whether the key is allowed to make the call, and each reason why not.',
      schema: ref(KeyTest),
      example: {
        is_allowed: false,
        reasons: ['This API key is not allowed to delete. Its scope allows: read, update.'],
      },
    },
    problems: ['not-found'],
  },
  deleteApiKey: {
    method: 'DELETE',
    url: '/api/api-keys/{id}',
    summary: 'Delete an API key',
    description: 'The key stops working at once.',
    access: 'session',
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'The key is deleted.' },
    problems: ['not-found'],
  },
} as const satisfies Slice
