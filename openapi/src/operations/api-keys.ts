/** Keys for pipelines and scripts. They reach names and nothing else of the account. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { ApiKey, CreatedApiKey, NewApiKey } from '../schemas/api-keys.ts'

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
