/**
 * The update protocol: what routers and update clients speak. Many URLs, four dialects, one meaning.
 * Its answers are lines of text with codes of their own, never problem documents.
 */
import { type TObject, Type } from 'typebox'
import type { Method, Slice } from '../operation.ts'

const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] })
const optional = (description: string, example: string) => Type.Optional(text(description, example))

const NAMES =
  'The names to update, at most 20 with commas between them. Without it: the user name where it is a whole name, else the one name that the credentials may write.'
const SECRET =
  'An update token or an API key, where a device can send it in no other way. Account passwords are not taken here.'
const ADDRESS_IN_PATH = 'An IPv4 or IPv6 address.'

/** What most clients send. Further names of the same parameters are in docs/guides/routers.md. */
const common = Type.Object({
  hostname: optional(NAMES, 'home.example.net'),
  myip: optional(
    'At most one IPv4 and one IPv6 address with a comma between them, in any order. A family that is not given is kept. Absent or empty: the address that the request came from.',
    '198.51.100.7',
  ),
  myipv4: optional(
    'An IPv4 address, `auto`, `preserve`, or `-`; empty: no IPv4 address any more.',
    '198.51.100.7',
  ),
  myipv6: optional(
    'An IPv6 address, `auto`, `preserve`, or `-`; empty: no IPv6 address any more. With `/64` it also moves the names below to that prefix; a prefix alone keeps the interface id.',
    '2001:db8::7',
  ),
  ip6lanprefix: optional(
    'The prefix to which names below the updated one move, keeping their interface ids.',
    '2001:db8:0:1::/64',
  ),
  offline: optional('`YES`: the names have no address any more.', 'YES'),
  wildcard: optional('`ON`: a wildcard below the name as well, where the plan has them.', 'NOCHG'),
  token: optional(SECRET, 'ut_…'),
})

const duckDns = Type.Object({
  domains: optional(NAMES, 'home.example.net'),
  token: optional(SECRET, 'ut_…'),
  ip: optional('As `myip`.', '198.51.100.7'),
  ipv6: optional('An IPv6 address.', '2001:db8::7'),
  verbose: optional(
    '`true`: the addresses and `UPDATED` or `NOCHANGE` after `OK`, a line each.',
    'true',
  ),
  clear: optional('`true`: no address any more.', 'true'),
})

const dynv6 = Type.Object({
  zone: optional(NAMES, 'home.example.net'),
  token: optional(SECRET, 'ut_…'),
  ipv4: optional('An IPv4 address, `auto`, or `-` for none; empty: kept.', 'auto'),
  ipv6: optional('An IPv6 address, also with `/64`, `auto`, or `-` for none; empty: kept.', 'auto'),
  ipv6prefix: optional('The prefix of the names below, or `auto`.', '2001:db8:0:1::/64'),
})

const CODES = `One line for each name, in the order of the request:
\`good <addresses>\` changed; \`nochg <addresses>\` unchanged; \`nohost\` no such name of yours; \`notfqdn\` not a name;
\`numhost\` more than 20 names; \`dnserr\` not an address that a name may hold; \`abuse\` the name or the account is blocked.
401 \`badauth\`: wrong or no credentials. 503 \`911\` or \`dnserr\`: nothing was stored for that name, come back after \`Retry-After\` seconds.
Credentials are an account's name and password, or any user name and an update token or API key as the password, by HTTP Basic; a token or key
also as Bearer, as \`Authorization: Token\`, or as the parameter \`token\`, \`key\` or \`password\`. Parameters that are not known are ignored.`
const CODES_DUCKDNS = `\`OK\` when every name is as asked for, else \`KO\`; 503 \`KO\`: come back after \`Retry-After\` seconds. Without \`domains\` and
\`token\` the parameters and answers are those of /nic/update.`
const CODES_DYNV6 = `\`addresses updated\` or \`addresses unchanged\`; else the codes of /nic/update. A family that is not given is kept.`

interface Manner {
  readonly summary: string
  readonly description: string
  readonly query: TObject
  readonly example: string
}

const COMMON: Manner = {
  summary: 'Update the addresses of names',
  description: CODES,
  query: common,
  example: 'good 198.51.100.7\n',
}
const WITHDRAW: Manner = {
  summary: 'Withdraw the addresses of names',
  description: `The families of the addresses that are given, or both. ${CODES}`,
  query: common,
  example: 'good\n',
}
const DUCKDNS: Manner = {
  summary: 'Update the addresses of names, as DuckDNS does',
  description: CODES_DUCKDNS,
  query: duckDns,
  example: 'OK',
}
const DYNV6: Manner = {
  summary: 'Update the addresses of names, as dynv6 does',
  description: CODES_DYNV6,
  query: dynv6,
  example: 'addresses updated\n',
}

function update<const M extends Method, const U extends string>(
  method: M,
  url: U,
  { summary, description, query, example }: Manner,
) {
  return {
    method,
    url,
    summary,
    description:
      method === 'GET'
        ? description
        : 'As GET. The parameters may also be a form (application/x-www-form-urlencoded).',
    access: 'update',
    keyAction: 'update',
    query,
    success: {
      status: 200,
      description: 'One line for each name.',
      schema: Type.String(),
      contentType: 'text/plain',
      example,
    },
  } as const
}

type Updates<Id extends string, U extends string> = {
  readonly [K in Id]: ReturnType<typeof update<'GET', U>>
} & { readonly [K in `${Id}ByPost`]: ReturnType<typeof update<'POST', U>> } & {
  readonly [K in `${Id}ByPut`]: ReturnType<typeof update<'PUT', U>>
}

/** The three methods of a URL: some clients send forms. */
function updates<const Id extends string, const U extends string>(id: Id, url: U, manner = COMMON) {
  return {
    [id]: update('GET', url, manner),
    [`${id}ByPost`]: update('POST', url, manner),
    [`${id}ByPut`]: update('PUT', url, manner),
  } as Updates<Id, U>
}

const checkAddress = {
  method: 'GET',
  summary: 'The address that the request came from',
  access: 'public',
  anyHost: true,
  success: {
    status: 200,
    description: 'An IPv4 or IPv6 address in a line of text.',
    schema: Type.String(),
    contentType: 'text/plain',
    example: '198.51.100.7\n',
  },
} as const

export const dyndns = {
  ...updates('nicUpdate', '/nic/update'),
  ...updates('v2Update', '/v2/update'),
  ...updates('v3Update', '/v3/update'),
  ...updates('dyndnsUpdate', '/dyndns/update'),
  ...updates('domainsUpdate', '/api/domains/update'),
  ...updates('domainsNicUpdate', '/api/domains/nic/update'),
  ...updates('nicDelete', '/nic/delete', WITHDRAW),
  ...updates('duckDnsUpdate', '/update', DUCKDNS),
  ...updates('dynv6Update', '/api/update', DYNV6),
  keyUpdate: {
    ...update('GET', '/u/{key}', COMMON),
    summary: 'Update the addresses of the name of an update token',
    params: Type.Object({ key: text(SECRET, 'ut_…') }),
  },
  duckDnsPathUpdate: {
    ...update('GET', '/update/{domains}/{token}', DUCKDNS),
    summary: 'Update the addresses of a name, for devices that can send no parameters',
    params: Type.Object({ domains: text(NAMES, 'home.example.net'), token: text(SECRET, 'ut_…') }),
  },
  duckDnsPathAddressUpdate: {
    ...update('GET', '/update/{domains}/{token}/{ip}', DUCKDNS),
    summary: 'Update a name to an address, for devices that can send no parameters',
    params: Type.Object({
      domains: text(NAMES, 'home.example.net'),
      token: text(SECRET, 'ut_…'),
      ip: text(ADDRESS_IN_PATH, '198.51.100.7'),
    }),
  },
  checkAddress: { ...checkAddress, url: '/checkip' },
  nicCheckAddress: { ...checkAddress, url: '/nic/checkip' },
  nicCheckAddressPage: {
    ...checkAddress,
    url: '/nic/checkip.html',
    success: {
      ...checkAddress.success,
      description: 'The same in a small page: `Current IP Address: 198.51.100.7`.',
      contentType: 'text/html',
      example: '<html><body>Current IP Address: 198.51.100.7</body></html>\n',
    },
  },
} as const satisfies Slice
