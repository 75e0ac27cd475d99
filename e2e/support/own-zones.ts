/** Own zones in tests: the plan that includes them, and claims in states that the service reaches after days. */
import type { components } from '@homing/openapi/client'
import { Client } from 'pg'
import { type Account, signInAdministrator } from './accounts.ts'
import type { Service } from './stack.ts'
import { embeddedUrl } from './tables.ts'

type OwnZone = components['schemas']['OwnZone']
type Check = components['schemas']['DelegationCheck']
type FactName = Check['facts'][number]['fact']

/** Gives an account the plan Elite, which includes own zones. @throws Error with the service's reason */
export async function makeElite(stack: Service, account: Account): Promise<void> {
  const [administrator, { data: me }] = await Promise.all([
    signInAdministrator(stack),
    account.api.GET('/api/me'),
  ])
  const { error } = await administrator.api.PUT('/api/admin/users/{id}', {
    params: { path: { id: me?.id ?? '' } },
    body: { account_type: 'elite' },
  })
  if (error !== undefined) throw new Error(error.detail)
}

/** Claims a domain. @throws Error with the service's reason */
export async function claim(account: Account, domain: string): Promise<OwnZone> {
  const { data, error } = await account.api.POST('/api/zones', { body: { domain } })
  if (data === undefined) throw new Error(`${domain}: ${error?.detail}`)
  return data
}

const FACTS: Readonly<Record<FactName, readonly [right: string, wrong: string]>> = {
  delegated: [
    'example delegates the domain.',
    'example does not delegate the domain. Set its name servers at your registrar.',
  ],
  names: [
    'example names the expected name servers.',
    'example names ns1.elsewhere.example. Change the name servers at your registrar.',
  ],
  glue: [
    'example has the addresses of all name servers.',
    'example has no addresses of the name servers. Add glue records at your registrar.',
  ],
  ipv4: ['The IPv4 addresses are right.', 'The IPv4 address is wrong. Expected 198.51.100.53.'],
  ipv6: ['The IPv6 addresses are right.', 'The IPv6 address is wrong. Expected 2001:db8::53.'],
  authoritative: ['All name servers answer with authority.', 'The name servers do not answer.'],
  'no-ds': ['example has no DS record.', 'example has a DS record. Remove it at your registrar.'],
}

/** What a check found. @param wrong the facts that are wrong */
export function checkOf(...wrong: readonly FactName[]): Check {
  const facts = Object.entries(FACTS).map(([name, [right, not]]) => {
    const fact = name as FactName
    const isWrong = wrong.includes(fact)
    return {
      fact,
      state: isWrong ? ('wrong' as const) : ('right' as const),
      message: isWrong ? not : right,
      expected: isWrong ? ['ns1.a-long-name-of-a-brand.example', 'ns2.brand.example'] : [],
      found: isWrong ? ['ns1.elsewhere.example'] : [],
    }
  })
  const server = {
    server: 'a.nic.example',
    address: '192.0.2.53',
    transport: 'udp',
    outcome: 'delegates',
    nameservers: ['ns1.elsewhere.example'],
    glue: ['ns1.elsewhere.example 192.0.2.1'],
    has_ds: false,
    message: 'Delegates to ns1.elsewhere.example.',
  } as const
  const silent = { ...server, server: 'b.nic.example', address: '2001:db8:53::53', transport: null }
  return {
    is_right: wrong.length === 0,
    parent_zone: 'example',
    facts,
    parent_servers: [
      { ...server, nameservers: [...server.nameservers], glue: [...server.glue] },
      { ...silent, outcome: 'no-answer', nameservers: [], glue: [], message: 'No answer in time.' },
    ],
    checked_at: new Date().toISOString(),
    duration_ms: 84,
  }
}

export interface ClaimState {
  readonly state: OwnZone['state']
  readonly check: Check
  /** Whether the parent zone delegated the domain to us before the claim. */
  readonly wasDelegated?: boolean
}

const STATE = `
  update zone_claims
  set state = $2, last_check = $3, checked_at = now(), next_check_at = now() + interval '6 hours', was_delegated = $4,
      proof = case when $2 in ('active', 'withheld', 'lost') then 'delegation' end,
      active_at = case when $2 in ('active', 'withheld') then now() end,
      withheld_at = case when $2 = 'withheld' then now() end,
      ended_at = case when $2 in ('lost', 'expired') then now() end,
      verified_at = case when ($3::jsonb ->> 'is_right')::boolean then now() end
  where name = $1`

/** The zone belongs to the account that proved it. */
const OWNER = `
  update zones z set owner_id = c.user_id from zone_claims c
  where z.name = $1 and c.name = z.name and c.state in ('active', 'withheld')`

/** Puts the claim of a domain into a state, without a registrar. */
export async function setClaim(
  { dataDir }: Service,
  domain: string,
  { state, check, wasDelegated = false }: ClaimState,
): Promise<void> {
  const client = new Client({ connectionString: embeddedUrl(dataDir) })
  await client.connect()
  try {
    await client.query(STATE, [domain, state, JSON.stringify(check), wasDelegated])
    await client.query(OWNER, [domain])
  } finally {
    await client.end()
  }
}
