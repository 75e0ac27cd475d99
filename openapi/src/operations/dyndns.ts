/**
 * The update protocol of routers and update clients: many URLs and four dialects with the same meaning.
 * Responses are lines of text with the codes of the protocol, never problem documents.
 */
import { type TObject, Type } from 'typebox'
import type { Method, Slice } from '../operation.ts'

const text = (description: string, example: string) =>
  Type.String({ description, examples: [example] })
const optional = (description: string, example: string) => Type.Optional(text(description, example))

const NAMES =
  'The domains to update, at most 20, separated by commas. Default: the username if it is one of your domains, else the only domain that the credentials can update.'
const SECRET =
  'An update token or an API key, for devices that cannot send it in another way. Account passwords are not accepted here.'
const ADDRESS_IN_PATH = 'An IPv4 or IPv6 address.'

/** The parameters of most clients. docs/guides/routers.md lists further names of the same parameters. */
const common = Type.Object({
  hostname: optional(NAMES, 'home.example.net'),
  myip: optional(
    'At most one IPv4 and one IPv6 address, separated by a comma, in any order. A family that is not given keeps its address. Absent or empty: the source address of the request.',
    '198.51.100.7',
  ),
  myipv4: optional(
    'An IPv4 address, `auto`, `preserve`, or `-`. Empty: removes the IPv4 address.',
    '198.51.100.7',
  ),
  myipv6: optional(
    'An IPv6 address, `auto`, `preserve`, or `-`. Empty: removes the IPv6 address. With `/64`, it also moves the domains below to that prefix; a prefix alone keeps the interface identifier.',
    '2001:db8::7',
  ),
  ip6lanprefix: optional(
    'The new prefix of the domains below the updated domain. They keep their interface identifiers.',
    '2001:db8:0:1::/64',
  ),
  offline: optional('`YES`: removes the addresses of the domains.', 'YES'),
  wildcard: optional(
    '`ON`: also adds a wildcard below the domain, if the plan has wildcards.',
    'NOCHG',
  ),
  token: optional(SECRET, 'ut_…'),
})

const duckDns = Type.Object({
  domains: optional(NAMES, 'home.example.net'),
  token: optional(SECRET, 'ut_…'),
  ip: optional('As `myip`.', '198.51.100.7'),
  ipv6: optional('An IPv6 address.', '2001:db8::7'),
  verbose: optional(
    '`true`: the addresses and `UPDATED` or `NOCHANGE` follow `OK`, each on its own line.',
    'true',
  ),
  clear: optional('`true`: removes the addresses.', 'true'),
})

const dynv6 = Type.Object({
  zone: optional(NAMES, 'home.example.net'),
  token: optional(SECRET, 'ut_…'),
  ipv4: optional('An IPv4 address, or `auto`. `-` removes the address; empty keeps it.', 'auto'),
  ipv6: optional(
    'An IPv6 address, also with `/64`, or `auto`. `-` removes the address; empty keeps it.',
    'auto',
  ),
  ipv6prefix: optional('The prefix of the domains below, or `auto`.', '2001:db8:0:1::/64'),
})

const CODES = `The response has one line for each domain, in the order of the request:
\`good <addresses>\` changed; \`nochg <addresses>\` unchanged; \`nohost\` not one of your domains; \`notfqdn\` not a valid name;
\`numhost\` more than 20 domains; \`dnserr\` not an address that a domain can have; \`abuse\` the domain or the account is blocked.
401 \`badauth\`: invalid or missing credentials. 503 \`911\` or \`dnserr\`: nothing was stored for that domain; try again after \`Retry-After\` seconds.
Send credentials by HTTP Basic: the username and password of an account, or any username and an update token or API key as the password. You can also send
a token or key as Bearer, as \`Authorization: Token\`, or as the parameter \`token\`, \`key\` or \`password\`. Unknown parameters are ignored.`
const CODES_DUCKDNS = `\`OK\` if all domains have the requested addresses, else \`KO\`. 503 \`KO\`: try again after \`Retry-After\` seconds. Without \`domains\` and
\`token\`, the parameters and responses are those of /nic/update.`
const CODES_DYNV6 = `\`addresses updated\` or \`addresses unchanged\`; for errors, the codes of /nic/update. A family that is not given keeps its address.`

interface Manner {
  readonly summary: string
  readonly description: string
  readonly query: TObject
  readonly example: string
}

const COMMON: Manner = {
  summary: 'Update the addresses of domains',
  description: CODES,
  query: common,
  example: 'good 198.51.100.7\n',
}
const WITHDRAW: Manner = {
  summary: 'Remove the addresses of domains',
  description: `Removes the addresses of the given families, or of both. ${CODES}`,
  query: common,
  example: 'good\n',
}
const DUCKDNS: Manner = {
  summary: 'Update the addresses of domains in the format of DuckDNS',
  description: CODES_DUCKDNS,
  query: duckDns,
  example: 'OK',
}
const DYNV6: Manner = {
  summary: 'Update the addresses of domains in the format of dynv6',
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
        : 'Works as GET. You can also send the parameters as a form (application/x-www-form-urlencoded).',
    access: 'update',
    keyAction: 'update',
    query,
    success: {
      status: 200,
      description: 'One line for each domain.',
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
  summary: 'Get the source address of the request',
  access: 'public',
  anyHost: true,
  openQuery: true,
  success: {
    status: 200,
    description: 'An IPv4 or IPv6 address on a line of text.',
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
    summary: 'Update the addresses of the domain of an update token',
    params: Type.Object({ key: text(SECRET, 'ut_…') }),
  },
  duckDnsPathUpdate: {
    ...update('GET', '/update/{domains}/{token}', DUCKDNS),
    summary: 'Update a domain, for devices that cannot send parameters',
    params: Type.Object({ domains: text(NAMES, 'home.example.net'), token: text(SECRET, 'ut_…') }),
  },
  duckDnsPathAddressUpdate: {
    ...update('GET', '/update/{domains}/{token}/{ip}', DUCKDNS),
    summary: 'Update a domain to an address, for devices that cannot send parameters',
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
      description: 'The address in an HTML page: `Current IP Address: 198.51.100.7`.',
      contentType: 'text/html',
      example: '<html><body>Current IP Address: 198.51.100.7</body></html>\n',
    },
  },
} as const satisfies Slice
