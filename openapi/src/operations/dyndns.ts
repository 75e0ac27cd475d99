/**
 * The update protocol: what routers and update clients speak. Five paths, one meaning.
 * Its answers are lines of text with codes of their own, never problem documents.
 */
import { Type } from 'typebox'
import type { Method, Slice } from '../operation.ts'

const query = Type.Object({
  hostname: Type.Optional(
    Type.String({
      description: 'The names to update, at most 20 with commas between them.',
      examples: ['home.example.net'],
    }),
  ),
  myip: Type.Optional(
    Type.String({
      description:
        'At most one IPv4 and one IPv6 address with a comma between them. A family that is not given is kept. Absent or empty: the address that the request came from.',
      examples: ['198.51.100.7'],
    }),
  ),
})

const CODES = `One line for each name, in the order of the request:
\`good <addresses>\` changed; \`nochg <addresses>\` unchanged; \`nohost\` no such name of yours; \`notfqdn\` not a name;
\`numhost\` more than 20 names; \`dnserr\` not an address that a name may hold; \`abuse\` the name or the account is blocked.
401 \`badauth\`: wrong or no credentials. 503 \`911\` or \`dnserr\`: nothing was stored for that name, come back after \`Retry-After\` seconds.
Parameters that are not listed are ignored.`

function update<const M extends Method, const U extends string>(method: M, url: U) {
  return {
    method,
    url,
    summary: 'Update the addresses of names',
    description:
      method === 'GET'
        ? CODES
        : 'As GET. The parameters may also be a form (application/x-www-form-urlencoded).',
    access: 'update',
    query,
    success: {
      status: 200,
      description: 'One line for each name.',
      schema: Type.String(),
      contentType: 'text/plain',
      example: 'good 198.51.100.7\n',
    },
  } as const
}

export const dyndns = {
  nicUpdate: update('GET', '/nic/update'),
  nicUpdateByPost: update('POST', '/nic/update'),
  nicUpdateByPut: update('PUT', '/nic/update'),
  v2Update: update('GET', '/v2/update'),
  v2UpdateByPost: update('POST', '/v2/update'),
  v2UpdateByPut: update('PUT', '/v2/update'),
  dyndnsUpdate: update('GET', '/dyndns/update'),
  dyndnsUpdateByPost: update('POST', '/dyndns/update'),
  dyndnsUpdateByPut: update('PUT', '/dyndns/update'),
  domainsUpdate: update('GET', '/api/domains/update'),
  domainsUpdateByPost: update('POST', '/api/domains/update'),
  domainsUpdateByPut: update('PUT', '/api/domains/update'),
  domainsNicUpdate: update('GET', '/api/domains/nic/update'),
  domainsNicUpdateByPost: update('POST', '/api/domains/nic/update'),
  domainsNicUpdateByPut: update('PUT', '/api/domains/nic/update'),
} as const satisfies Slice
