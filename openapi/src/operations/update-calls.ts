/** The update calls that update clients sent for a domain, and the responses. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { UpdateCall } from '../schemas/update-calls.ts'

const example: UpdateCall = {
  id: '84',
  first_at: '2026-05-12T08:30:00.000Z',
  last_at: '2026-05-12T09:30:00.000Z',
  times: 12,
  is_refused: false,
  source_ip: '198.51.100.7',
  client: 'FRITZ!Box DDNS/1.0.1',
  dialect: 'dyndns2',
  path: '/nic/update',
  said: 'myip=198.51.100.7',
  answer: 'nochg 198.51.100.7',
  hint: null,
  hint_text: null,
}

export const updateCalls = {
  listUpdateCalls: {
    method: 'GET',
    url: '/api/domains/{id}/update-calls',
    summary: 'List the update calls of a domain',
    description: `Returns the last 50 calls of the owner and the last 10 refused calls, from the last 30 days. Consecutive equal calls are one item with a count.
The newest call is first. A call appears in the list about a second after its response.`,
    access: 'caller',
    keyAction: 'read',
    params: Type.Object({ id: Id }),
    query: listQuery({
      sort: ['last_at'],
      filter: { is_refused: 'true or false' },
    }),
    success: {
      status: 200,
      description: 'The calls.',
      schema: Type.Array(ref(UpdateCall)),
      example: [example],
      list: true,
    },
    problems: ['not-found', 'range-not-satisfiable'],
  },
} as const satisfies Slice
