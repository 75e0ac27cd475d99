/** Responses of the API, in the form of its contract. */
import type { components } from '@homing/openapi/client'

type Schemas = components['schemas']

export const domain = (changes: Partial<Schemas['Domain']> = {}): Schemas['Domain'] => ({
  id: '42',
  fqdn: 'home.example.net',
  zone: 'example.net',
  rrtype: 'A',
  record_ip: '192.0.2.1',
  record_ipv4: '192.0.2.1',
  record_ipv6: null,
  is_forwarded: false,
  published_ipv4: ['192.0.2.1'],
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
  note: null,
  tags: [],
  last_update_client: null,
  version: 3,
  ...changes,
})

/** A monitor of that domain, which is up. */
export const monitor = (changes: Partial<Schemas['Monitor']> = {}): Schemas['Monitor'] => ({
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
  uptime_24h: 99.69,
  uptime_7d: 99.9,
  uptime_30d: 100,
  uptime_90d: null,
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
  ...changes,
})

const identity = {
  id: '7',
  username: 'ada',
  email: 'ada@example.net',
  account_type: 'pro',
  plan: 'pro',
  given_name: null,
  surname: null,
} as const

export const signedIn: Schemas['SignedIn'] = {
  ...identity,
  token: 'the-session',
  user_id: '7',
  role: 'pro',
  session_created: '2026-05-12T08:30:00.000Z',
}

export const me: Schemas['Me'] = {
  ...identity,
  email_verified: true,
  created_at: '2026-05-01T12:00:00.000Z',
  password_changed_at: null,
  email_changed_at: null,
  limits: { domain_limit: 100, domain_count: 3, ttl: 60, abilities: ['api_keys', 'wildcard'] },
}

export const apiKey = (changes: Partial<Schemas['ApiKey']> = {}): Schemas['ApiKey'] => ({
  id: '3',
  name: 'pipeline',
  prefix: 'ak_4mTq9zX',
  scope: { domains: null, actions: null, record_types: null, networks: null },
  created_at: '2026-05-12T08:30:00.000Z',
  expires_at: null,
  unused_days: null,
  is_expired: false,
  last_used_at: null,
  last_used_ip: null,
  last_client: null,
  rotated_at: null,
  version: 1,
  former_secret: null,
  ...changes,
})

export const updateToken: Schemas['UpdateToken'] = {
  prefix: 'ut_4mTq9zX',
  created_at: '2026-05-12T08:30:00.000Z',
  last_used_at: null,
  last_used_ip: null,
  last_client: null,
}

/** A refusal in the form of the API. */
export const problem = (
  status: number,
  code: Schemas['Problem']['code'],
  changes: Partial<Schemas['Problem']> = {},
): { status: number; body: object } => ({
  status,
  body: {
    type: `urn:homing:problem:${code}`,
    title: 'A title',
    status,
    detail: 'This is why.',
    code,
    message: 'This is why.',
    requestId: 'r1',
    ...changes,
  },
})
