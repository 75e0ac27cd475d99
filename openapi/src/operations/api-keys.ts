/** Keys for pipelines and scripts. They reach names and nothing else of the account. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { KEY_ACTIONS, RECORD_TYPES } from '../vocabulary.ts'
import {
  ApiKey,
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
  former_secret: null,
}

export const apiKeys = {
  listApiKeys: {
    method: 'GET',
    url: '/api/api-keys/',
    summary: 'Your keys',
    description: 'All of them when no range is asked for.',
    access: 'session',
    query: listQuery({
      sort: ['id', 'name', 'created_at', 'last_used_at'],
      filter: {
        q: 'a part of the name, or of how the key begins',
        id: 'one id or a list of them',
      },
    }),
    success: {
      status: 200,
      description: 'The keys, without what makes them secret.',
      schema: Type.Array(ref(ApiKey)),
      example: [example],
      list: true,
    },
    problems: ['plan-required', 'range-not-satisfiable'],
  },
  createApiKey: {
    method: 'POST',
    url: '/api/api-keys/',
    summary: 'Make a key',
    description:
      'Without a scope it reaches all your names, as long as it is there. No key reaches keys, passwords, payments or administration. What a key is for never changes: make another.',
    access: 'session',
    stepUp: true,
    body: ref(NewApiKey),
    bodyExample: {
      name: 'router',
      scope: { domains: ['home.example.net'], actions: ['read', 'update'] },
      unused_days: 90,
    },
    success: {
      status: 201,
      description: 'The key. It is shown this once.',
      schema: ref(CreatedApiKey),
      example: { ...example, key: 'ak_4mTq9zX…' },
    },
    problems: ['plan-required', 'key-limit'],
  },
  rotateApiKey: {
    method: 'POST',
    url: '/api/api-keys/{id}/rotate',
    summary: 'Give a key another secret',
    description:
      'What the key is for stays. The former secret is good for the overlap, so that nothing stands still while the new one is put where it belongs; the list says whether it is still used. Rotating again ends a former secret that is left.',
    access: 'session',
    stepUp: true,
    params: Type.Object({ id: Id }),
    body: ref(KeyRotation),
    bodyExample: { overlap_hours: 24 },
    success: {
      status: 200,
      description: 'The key with its new secret, which is shown this once.',
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
    summary: 'What a key may do, and why',
    access: 'session',
    params: Type.Object({ id: Id }),
    query: Type.Object({
      action: Type.Enum(KEY_ACTIONS),
      domain: Type.Optional(Type.String({ maxLength: 1024, examples: ['home.example.net'] })),
      record_type: Type.Optional(Type.Enum(RECORD_TYPES)),
      ip: Type.Optional(
        Type.String({ maxLength: 60, description: 'Where the call would come from.' }),
      ),
    }),
    success: {
      status: 200,
      description: 'Whether it may, and each reason why not.',
      schema: ref(KeyTest),
      example: {
        is_allowed: false,
        reasons: ['This API key may not delete. It is for: read, update.'],
      },
    },
    problems: ['not-found'],
  },
  deleteApiKey: {
    method: 'DELETE',
    url: '/api/api-keys/{id}',
    summary: 'Delete a key',
    description: 'It is refused from this moment on.',
    access: 'session',
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'The key is gone.' },
    problems: ['not-found'],
  },
} as const satisfies Slice
