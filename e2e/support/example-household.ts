/** A household and a small office with domains, whose routers and programs send real update calls, with monitors and DNS queries: for pictures. */
import { createApiClient } from '@homing/openapi/client'
import { type Account, signInAdministrator } from './accounts.ts'
import { storeHistory } from './query-history.ts'
import { eventually, type Stack } from './stack.ts'
import { countCalls, embeddedUrl, makeCallsOlder } from './tables.ts'

export const ZONE = 'example.net'
/** The service takes the addresses of devices from this proxy (`TRUST_PROXY`). */
export const PROXY = '127.0.0.1'

interface Example {
  readonly label: string
  readonly agent?: string
  /** Addresses that the device reports, one call each. */
  readonly addresses?: readonly string[]
  readonly minutesAgo?: number
  readonly tags?: readonly string[]
  readonly note?: string
  readonly paused?: true
  /** Whether the domain is monitored. Its updates are the signs of life. */
  readonly isMonitored?: true
}

const FRITZBOX = 'Fritz!Box DDNS/1.0.1'
const EXAMPLES: readonly Example[] = [
  {
    label: 'home',
    agent: FRITZBOX,
    addresses: ['198.51.100.23', '198.51.100.71,2001:db8:7::1', '203.0.113.9,2001:db8:9::1'],
    minutesAgo: 4,
    tags: ['family'],
    note: 'FRITZ!Box in the hall',
    isMonitored: true,
  },
  {
    label: 'nas',
    agent: 'ddclient/3.10.0',
    addresses: ['203.0.113.9'],
    minutesAgo: 12,
    tags: ['family'],
    isMonitored: true,
  },
  {
    label: 'camera',
    agent: 'inadyn/2.12.0',
    addresses: ['203.0.113.9'],
    minutesAgo: 9,
    tags: ['family'],
  },
  {
    label: 'office',
    agent: 'OPNsense',
    addresses: ['192.0.2.44,2001:db8:44::1'],
    minutesAgo: 2,
    tags: ['work'],
    isMonitored: true,
  },
  { label: 'lab', agent: 'curl/8.14.1', addresses: ['192.0.2.44'], minutesAgo: 26, tags: ['work'] },
  { label: 'cabin', agent: 'Mikrotik/7.16 DDNS', addresses: ['198.51.100.140'], minutesAgo: 51 },
  {
    label: 'garden',
    note: 'Sensors; returns in spring',
    addresses: ['198.51.100.150'],
    minutesAgo: 4_000,
    agent: 'curl/8.14.1',
    paused: true,
  },
  { label: 'printer' },
]

async function givePlan(stack: Stack, account: Account, plan: 'pro'): Promise<void> {
  const [administrator, me] = await Promise.all([
    signInAdministrator(stack),
    account.api.GET('/api/me'),
  ])
  const path = { id: me.data?.id ?? '' }
  const { error } = await administrator.api.PUT('/api/admin/users/{id}', {
    params: { path },
    body: { account_type: plan },
  })
  if (error !== undefined) throw new Error(error.detail)
}

/** A device at home: its proxy passes on its address. */
async function call(
  stack: Stack,
  credentials: string,
  agent: string,
  query: string,
): Promise<string> {
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  const headers = { authorization, 'user-agent': agent, 'x-forwarded-for': '203.0.113.9' }
  return (await fetch(`${stack.url}/nic/update?${query}`, { headers })).text()
}

/** A browser of the account. */
const browserOf = (stack: Stack, { token }: Account) =>
  createApiClient({
    baseUrl: stack.url,
    headers: {
      authorization: `Bearer ${token}`,
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      'x-forwarded-for': '203.0.113.9',
    },
  })

/** @throws Error when the service refuses it */
async function monitor(browser: ReturnType<typeof browserOf>, id: string): Promise<void> {
  const params = { path: { id } }
  const settings = {
    kind: 'heartbeat',
    heartbeat_source: 'updates',
    heartbeat_period_seconds: 86_400,
  } as const
  const set = await browser.PUT('/api/uptime/domain/{id}', { params, body: settings })
  const on = await browser.POST('/api/uptime/domain/{id}/monitor', {
    params,
    body: { enable: true },
  })
  const error = set.error ?? on.error
  if (error !== undefined) throw new Error(error.detail)
}

/** Queries of an average hour. The first domain also gets changes of its address. */
const QUERIES_PER_HOUR = { cabin: 31, home: 212, nas: 95, office: 140, camera: 24, lab: 12 }

async function storeQueries(url: string): Promise<void> {
  const named = Object.entries(QUERIES_PER_HOUR).map(([label, perHour]) => [
    `${label}.${ZONE}`,
    perHour,
  ])
  await storeHistory(url, Object.fromEntries(named) as Record<string, number>)
}

/** @throws Error when the service refuses anything. @returns id by label */
async function addExamples(stack: Stack, account: Account): Promise<ReadonlyMap<string, string>> {
  const browser = browserOf(stack, account)
  const ids = new Map<string, string>()
  for (const {
    label,
    agent = '',
    addresses = [],
    tags = [],
    note = '',
    paused = false,
    isMonitored = false,
  } of EXAMPLES) {
    const { data, error } = await browser.POST('/api/domains', {
      body: { fqdn: `${label}.${ZONE}` },
    })
    if (error !== undefined) throw new Error(error.detail)
    ids.set(label, data.id)
    const changed = await browser.PUT('/api/domains/{id}', {
      params: { path: { id: data.id } },
      body: { tags: [...tags], note, paused },
    })
    if (changed.error !== undefined) throw new Error(changed.error.detail)
    if (isMonitored) await monitor(browser, data.id)
    for (const address of addresses) {
      const query = `hostname=${label}.${ZONE}&myip=${address}`
      const answer = await call(stack, `${account.username}:${account.password}`, agent, query)
      if (!answer.startsWith('good')) throw new Error(`${label}: ${answer}`)
    }
  }
  const key = await browser.POST('/api/api-keys/', {
    body: {
      name: 'pipeline',
      scope: { domains: [`*.ci.${ZONE}`], actions: ['create', 'update', 'delete'] },
    },
  })
  if (key.error !== undefined) throw new Error(key.error.detail)
  return ids
}

/** Adds the domains, lets their devices report, and gives them tags and notes. @returns id by label */
export async function furnish(
  stack: Stack,
  account: Account,
): Promise<ReadonlyMap<string, string>> {
  await givePlan(stack, account, 'pro')
  const ids = await addExamples(stack, account)
  await call(stack, 'nas:old-password', 'ddclient/3.10.0', `hostname=nas.${ZONE}`)
  for (const { label, minutesAgo = 0 } of EXAMPLES) {
    if (minutesAgo === 0) continue
    const url = embeddedUrl(stack.dataDir)
    const fqdn = `${label}.${ZONE}`
    await eventually(
      () => countCalls(url, fqdn),
      (count) => count > 0,
    )
    await makeCallsOlder(url, fqdn, minutesAgo)
  }
  await storeQueries(embeddedUrl(stack.dataDir))
  await eventually(
    async () => (await browserOf(stack, account).GET('/api/uptime/dashboard')).data,
    (uptime) => uptime?.domains_up === EXAMPLES.filter(({ isMonitored }) => isMonitored).length,
  )
  return ids
}
