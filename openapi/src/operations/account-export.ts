/** The export of a person's data. */
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import {
  AccountExport,
  type AccountExport as AccountExportBody,
} from '../schemas/account-export.ts'

const example: AccountExportBody = {
  version: 1,
  exported_at: '2026-05-12T08:30:00.000Z',
  service: { name: 'Homing', url: 'https://dns.example.net' },
  account: {
    id: '7',
    username: 'ada',
    email: 'ada@example.net',
    email_verified_at: '2026-05-01T12:03:00.000Z',
    given_name: 'Ada',
    surname: null,
    account_type: 'pro',
    enabled: true,
    created_at: '2026-05-01T12:00:00.000Z',
    account_create_cc: 'SE',
    last_login: '2026-05-12T08:30:00.000Z',
    last_login_ip: '198.51.100.7',
    last_login_cc: 'SE',
    deletion_due_at: null,
    notify_address_changed: false,
    notify_not_updated_days: null,
    notify_key_expiring: true,
    terms_version: '2026-11-22',
    terms_accepted_at: '2026-05-01T12:00:00.000Z',
  },
  plan: {
    id: 'pro',
    domain_limit: 100,
    ttl: 60,
    stealth_flag_limit: 10,
    abilities: ['api_keys', 'wildcard'],
    price_month_cents: 1000,
    price_year_cents: 11000,
    currency: 'USD',
  },
  domains: [],
  deleted_domains: [],
  former_domains: [],
  reserved_names: [],
  locked_names: [],
  records: [],
  zones: [],
  update_tokens: [],
  domain_history: [],
  update_calls: [],
  query_counts: [],
  sessions: [],
  login_history: [],
  known_networks: [],
  mail_links: [],
  dismissed_notices: [],
  second_factors: { is_on: false, totp: [], recovery_codes: [], passkeys: [] },
  api_keys: [],
  trust_policies: [],
  idempotency_keys: [
    {
      key: '3f6c1d0e-5d1c-4b0e-9a54-2f6f8f0c7a11',
      operation: 'createDomain',
      started_at: '2026-05-12T08:30:00.000Z',
      status: 201,
      expires_at: '2026-05-13T08:30:00.000Z',
    },
  ],
  jobs: [],
  is_complete: true,
}

export const accountExport = {
  exportAccount: {
    method: 'GET',
    url: '/api/me/export',
    summary: 'Export all data about you in one file',
    description:
      'Available on every plan. The archive does not contain passwords, secrets or their digests. The service streams it part by part; each part shows the state at the time when it was written. An archive that does not end with `is_complete` is incomplete. The limit is five exports a day.',
    access: 'session',
    stepUp: true,
    success: {
      status: 200,
      description: 'The archive.',
      schema: ref(AccountExport),
      download: 'account.json',
      example,
    },
  },
} as const satisfies Slice
