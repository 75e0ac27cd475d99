/** A secret for one domain, which works only at update URLs. Every plan has update tokens. */
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
    summary: 'Get the update token of a domain',
    description: 'If your domain does not have an update token, the error is `no-update-token`.',
    access: 'session',
    params,
    success: {
      status: 200,
      description: 'The token, without its secret.',
      schema: ref(UpdateToken),
      example,
    },
    problems: ['not-found', 'no-update-token'],
  },
  createUpdateToken: {
    method: 'POST',
    url: URL,
    summary: 'Create the update token of a domain',
    description:
      'A router sends the token as the password, with any username. An existing token is replaced only with `replace`, because a router may be using it. A wildcard cannot have an update token: it follows its base domain. The owner gets a mail.',
    access: 'session',
    stepUp: true,
    params,
    body: ref(NewUpdateToken),
    bodyExample: {},
    success: {
      status: 201,
      description: 'The token. It is shown only once.',
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
    description: 'The token stops working at once.',
    access: 'session',
    params,
    success: { status: 204, description: 'The token is deleted.' },
    problems: ['not-found', 'no-update-token'],
  },
} as const satisfies Slice
