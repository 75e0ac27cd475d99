/** An account with one of everything, for tests that must find all of it. */
import type { CreatedApiKey } from '@homing/openapi'
import { query } from '../../src/database/sql.ts'
import { type ApiWorld, type Caller, PASSWORD } from './api-world.ts'
import { call } from './calls.ts'

/** The client and the address of the owner's calls. */
export const CLIENT = 'Ada’s laptop'
export const ADDRESS = '198.51.100.7'

/** Creates one of everything that an account can have. @returns the secrets that cannot be read again */
export async function fillAccount(world: ApiWorld, who: Caller): Promise<string[]> {
  const post = (url: string, body: object, headers = {}) =>
    call(world.app, 'POST', url, {
      headers: { ...who.headers, 'user-agent': CLIENT, ...headers },
      body,
      ip: ADDRESS,
    })
  const fqdn = `home.${who.username}.homing.test`
  const once = { 'idempotency-key': 'the-first-domain' }
  await post('/api/domains', { fqdn, record_ip: '203.0.113.1' }, once)
  await post('/api/domains/wildcard', {
    base_fqdn: fqdn,
    rrtype: 'A',
    record_ip: '203.0.113.1',
  })
  const left = `left.${who.username}.homing.test`
  const leaving = (await post('/api/domains', { fqdn: left, record_ip: '203.0.113.2' })).json<{
    id: string
  }>()
  const [domain] = await query<{ id: string }>(
    world.knex,
    'select id from domains where fqdn = ?',
    [fqdn],
  )
  const id = domain?.id ?? ''
  const token = (await post(`/api/domains/${id}/update-token`, {})).json<{ token: string }>()
  const key = (await post('/api/api-keys', { name: 'all' })).json<CreatedApiKey>()
  const renewed = (await post(`/api/api-keys/${key.id}/rotate`, {})).json<CreatedApiKey>()
  await post('/api/trust-policies', {
    name: 'deploy',
    issuer: 'https://ci.example',
    subject: 'sub',
    scope: { domains: [fqdn] },
  })
  await call(world.app, 'DELETE', `/api/domains/${leaving.id}`, { headers: who.headers })
  const login = await post('/api/login', {
    username_or_email: who.username,
    password: PASSWORD,
  })
  await world.services.loginHistory.flush()
  await post('/api/change-email', { email: `${who.username}@new.test`, password: PASSWORD })
  await query(
    world.knex,
    `with totp as (insert into totp_secrets (user_id, sealed_secret, created_at) values (?, 'the-sealed-one', now())),
     notices as (insert into notice_dismissals values (?, 'free-plan', now(), now())),
     locks as (insert into locked_names (user_id, fqdn) values (?, 'locked.' || ? || '.homing.test')),
     codes as (insert into recovery_codes (user_id, code_digest, created_at) values (?, 'the-digest', now())),
     calls as (insert into update_calls values (?, false, 1, 1, 2, now(), now(), '198.51.100.7', 'ddclient', 'dyndns2', '/nic/update', 'myip=1', 'good', null)),
     forwards as (insert into web_forwards (domain_id, user_id, target_url, forwarding_type)
       values (?, ?, 'https://www.example.net/', 'redirect') returning id),
     links as (insert into mail_links (user_id, purpose, email, token_digest, expires_at)
               values (?, 'reset_password', 'ada@mail.test', decode(md5(random()::text), 'hex'), now()))
     insert into queries_1d (at, domain_id, dimension, value, queries)
     values ('2026-05-12T00:00Z', ?, 'total', '', 7), ('2026-05-12T00:00Z', ?, 'country', 'AT', 7), ('2026-05-13T00:00Z', ?, 'total', '', 5)`,
    [who.id, who.id, who.id, who.username, who.id, id, id, who.id, who.id, id, id, id],
  )
  await query(
    world.knex,
    `insert into forward_hits select id, date '2026-05-12', 4 from web_forwards where domain_id = ?`,
    [id],
  )
  await query(
    world.knex,
    `insert into passkeys (user_id, name, credential_id, public_key, sign_count, transports, is_synced, is_backed_up, created_at)
     values (?, 'laptop', decode(md5(random()::text), 'hex'), 'the-public-key', 0, '{internal}', false, false, now())`,
    [who.id],
  )
  await query(
    world.knex,
    `with zone as (insert into zones (name, owner_id, is_own, offered, soa_mname, soa_rname)
       values (?, ?, true, false, 'ns1.homing.test', 'hostmaster.homing.test') returning id),
     serial as (insert into zone_serials
       select id, 1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid() from zone),
     claim as (insert into zone_claims (user_id, name, token, state, proof, active_at, kept)
       values (?, ?, 'token-of-' || ?, 'active', 'delegation', now(),
               '{"records": [], "domains": [{"fqdn": "lost.example", "forward": {"title": "Shop", "disabled_by": 1},
                                             "monitor": {"port": 22, "heartbeat_token_hash": "ab"}}]}')
       returning id, user_id),
     history as (insert into zone_events (claim_id, user_id, kind, actor, detail)
       select id, user_id, 'record-created', 'session', '{"old": null, "new": {"owner": "@"}}' from claim)
     insert into records (zone_id, domain_id, owner, type, ttl, rdata, origin, user_id)
     select zone_id, id, fqdn, 'TXT', 60, '{"\\"hello\\""}', 'user', user_id from domains where id = ?`,
    [`${who.username}.example`, who.id, who.id, `${who.username}.example`, who.username, id],
  )
  await payOnce(world, who)
  const monitor = `/api/uptime/domain/${id}`
  await post(`${monitor}/monitor`, { enable: true })
  await post(`${monitor}/maintenance`, {
    starts_at: new Date(Date.now() + 3_600_000).toISOString(),
    ends_at: new Date(Date.now() + 7_200_000).toISOString(),
    note: 'Backup',
  })
  const heartbeat = (await post(`${monitor}/heartbeat-token`, {})).json<{ token: string }>()
  await query(
    world.knex,
    `with ids as (select id, user_id from monitors where domain_id = ?),
     notices as (insert into monitor_notifications (monitor_id, user_id, message, subject, due_at)
       select id, user_id, 'test', 'asked', 'infinity' from ids),
     results as (insert into monitor_results (monitor_id, place, at, kind, is_up) select id, 0, now(), 'https', true from ids),
     days as (insert into monitor_days select id, date '2026-05-12', 1, 0, 20 from ids)
     insert into monitor_intervals (monitor_id, state, since, up_ms_before, down_ms_before, unknown_ms_before, maintenance_ms_before)
     select id, 'down', now(), 0, 0, 0, 0 from ids`,
    [id],
  )
  const { token: session } = login.json<{ token: string }>()
  return [heartbeat.token, token.token, key.key, renewed.key, session, PASSWORD]
}

/** A plan that was paid for, with its checkout and its invoice. */
async function payOnce(world: ApiWorld, who: Caller): Promise<void> {
  await query(
    world.knex,
    `with grants as (insert into plan_grants (user_id, source, plan) values (?, 'payment', 'pro')),
     party as (
       insert into billing_parties (first_name, last_name, email, address, city, state, zip_code, country)
       values ('Ada', 'Lovelace', ?, 'Street 1', 'Town', '', '', 'AT') returning id),
     billing as (insert into account_billing select ?, id from party),
     price as (select id from plan_prices where plan = 'pro' and billing = 'monthly' and is_current),
     checkout as (
       insert into checkouts (user_id, provider, price_id, party_id, state, expires_at)
       select ?, 'stripe', price.id, party.id, 'completed', now() from price, party returning id),
     paid as (
       insert into subscriptions (user_id, provider, provider_id, checkout_id, price_id, state, provider_status, payment_method)
       select ?, 'stripe', 'sub_' || ?, checkout.id, price.id, 'active', 'active', 'Visa of ' || ? from checkout, price),
     invoice as (
       insert into invoices (number, kind, status, provider, provider_id, party_id, issued_at, paid_at, total_cents, tax_cents,
                             tax_basis_points, currency, lines)
       select 'T-' || ?, 'invoice', 'paid', 'stripe', 'in_' || ?, id, now(), now(), 1000, 167, 2000, 'USD',
              '[{"description": "Pro", "amountCents": 1000}]' from party returning id)
     insert into invoice_accounts select id, ? from invoice`,
    [
      who.id,
      `${who.username}@mail.test`,
      who.id,
      who.id,
      who.id,
      who.id,
      who.username,
      who.id,
      who.id,
      who.id,
    ],
  )
}
