/** One secret for each domain, good for its update URL and nothing else. Every plan has them. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { CreatedUpdateToken, NewUpdateToken, UpdateToken } from '../schemas/update-tokens.ts'

const URL = '/api/domains/{id}/update-token'
const params = Type.Object({ id: Id })

const example: UpdateToken = {
  prefix: 'ut_4mTq9zX',
  created_at: '2026-05-12T08:30:00.000Z',
  last_used_at: '2026-05-12T09:00:00.000Z',
  last_used_ip: '198.51.100.7',
  last_client: 'FRITZ!Box DDNS/1.0.1',
}

export const updateTokens = {
  getUpdateToken: {
    method: 'GET',
    url: URL,
    summary: 'The update token of a domain',
    description: '`no-update-token` when the domain is yours and has none.',
    access: 'session',
    params,
    success: {
      status: 200,
      description: 'The token, without what makes it secret.',
      schema: ref(UpdateToken),
      example,
    },
    problems: ['not-found', 'no-update-token'],
  },
  createUpdateToken: {
    method: 'POST',
    url: URL,
    summary: 'Make the update token of a domain',
    description:
      'A router gives it as the password, with any user name. A token that exists is replaced only when `replace` says so, because a router may be using it. A wildcard has none: it follows its base. The owner is told by mail.',
    access: 'session',
    stepUp: true,
    params,
    body: ref(NewUpdateToken),
    bodyExample: {},
    success: {
      status: 201,
      description: 'The token. It is shown this once.',
      schema: ref(CreatedUpdateToken),
      example: {
        ...example,
        last_used_at: null,
        last_used_ip: null,
        last_client: null,
        token: 'ut_4mTq9zX…',
      },
    },
    problems: ['not-found', 'conflict', 'update-token-exists'],
  },
  deleteUpdateToken: {
    method: 'DELETE',
    url: URL,
    summary: 'Delete the update token of a domain',
    description: 'It is refused from this moment on.',
    access: 'session',
    params,
    success: { status: 204, description: 'The token is gone.' },
    problems: ['not-found', 'no-update-token'],
  },
} as const satisfies Slice
