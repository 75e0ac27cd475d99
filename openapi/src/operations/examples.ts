/** Examples that several slices share. */
import type { SignedIn, WorkingCredentials } from '../schemas/accounts.ts'
import type { Domain } from '../schemas/domains.ts'
import type { Plan } from '../schemas/plans.ts'
import type { Monitor } from '../schemas/uptime.ts'
import type { WebForward } from '../schemas/web-forwards.ts'

/** The account of all examples. */
export const ada = {
  id: '7',
  username: 'ada',
  email: 'ada@example.net',
  account_type: 'pro',
  plan: 'pro',
  given_name: 'Ada',
  surname: null,
} as const

export const signedIn: SignedIn = {
  token: 'session',
  ...ada,
  user_id: '7',
  role: 'pro',
  session_created: '2026-05-12T08:30:00.000Z',
}

/** The credentials of an account with a key, two routers and a pipeline. */
export const workingCredentials: WorkingCredentials = {
  api_keys: 1,
  update_tokens: 2,
  trust_policies: 1,
  passkeys: 0,
}

/** The plan of all examples. */
export const proPlan: Plan = {
  id: 'pro',
  domain_limit: 100,
  ttl: 60,
  stealth_flag_limit: 10,
  monitor_interval: 60,
  record_limit: 1000,
  record_types: 'all',
  abilities: ['api_keys', 'wildcard', 'analytics', 'uptime', 'web_forward'],
  price_month_cents: 1000,
  price_year_cents: 11000,
  currency: 'USD',
}

/** The domain of most examples. */
export const homeDomain: Domain = {
  id: '42',
  fqdn: 'home.example.net',
  zone: 'example.net',
  rrtype: 'A',
  record_ip: '198.51.100.7',
  record_ipv4: '198.51.100.7',
  record_ipv6: null,
  is_forwarded: false,
  published_ipv4: ['198.51.100.7'],
  published_ipv6: [],
  ttl: 60,
  is_active: true,
  withheld_by: [],
  monitor_enabled: false,
  monitor_kind: null,
  monitor_port: null,
  monitor_state: null,
  is_wildcard: false,
  wildcard_enabled: false,
  last_update_at: '2026-05-12T08:30:00.000Z',
  created_at: '2026-05-01T12:00:00.000Z',
  created_cc: null,
  user_id: '7',
  username: 'ada',
  paused: false,
  note: 'Router in the attic',
  tags: ['home'],
  last_update_client: 'ddclient/3.10.0',
  version: 3,
}

/** The web forward of all examples. */
export const webForward: WebForward = {
  id: '9',
  domain_id: '42',
  fqdn: 'home.example.net',
  target_url: 'https://shop.example.com/start',
  forwarding_type: 'redirect',
  status_code: 302,
  title: null,
  description: null,
  keywords: null,
  forward_path: true,
  forward_query: true,
  is_active: true,
  fallback: null,
  uses_stealth_flag: false,
  hits_7d: 128,
  last_checked_at: '2026-05-12T08:30:00.000Z',
  check_result: {
    target_url: 'https://shop.example.com/start',
    finding: 'reachable',
    message: 'The target answers with status 200.',
    hops: [{ url: 'https://shop.example.com/start', status: 200 }],
    frames: 'allowed',
    fallback: null,
    checked_at: '2026-05-12T08:30:00.000Z',
  },
  disabled_reason: null,
  created_at: '2026-05-12T08:30:00.000Z',
  version: 1,
}

/** The monitor of all examples. */
export const monitor: Monitor = {
  domain_id: '42',
  fqdn: 'home.example.net',
  is_enabled: true,
  kind: 'https',
  state: 'up',
  state_since: '2026-05-12T06:14:30.000Z',
  stopped_by: null,
  stop_reason: null,
  cause: null,
  cause_text: null,
  last_check_at: '2026-05-12T08:30:00.000Z',
  last_latency_ms: 38,
  certificate_expires_at: '2026-07-01T00:00:00.000Z',
  last_heartbeat_at: null,
  has_heartbeat_token: false,
  uptime_24h: 99.68,
  uptime_7d: 99.96,
  uptime_30d: 99.99,
  uptime_90d: 99.99,
  port: null,
  path: '/',
  expected_status: '200-399',
  follows_redirects: true,
  body_text: null,
  address_family: 'auto',
  certificate_warning_days: 14,
  interval_seconds: 60,
  confirmations: 2,
  recoveries: 1,
  heartbeat_source: 'url',
  heartbeat_period_seconds: 300,
  heartbeat_grace_seconds: 60,
  notifies_down: true,
  notifies_up: true,
  min_interval_seconds: 60,
  version: 1,
}
