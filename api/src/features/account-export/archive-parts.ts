/**
 * The parts of an account's archive: one per field, with the tables that it reads. Secrets, and data
 * that would let somebody sign in, are left out: digests, ciphertexts, public keys.
 */
import { JOB_SCHEMA } from '../../queue/job-queue.ts'
import { MONITORS } from './archive-monitors.ts'
import { PAYMENTS } from './archive-payments.ts'
import { bigint, byId, numbered, type Part, type SecondFactorField } from './archive-part.ts'

/** The domains of the account, including deleted ones. */
export const DOMAIN_IDS = `
  select id from domains where user_id = ? union select domain_id from former_domains where user_id = ?
  order by id`

const LAST_USE = 'x.last_used_at, host(x.last_used_ip) as last_used_ip, x.last_client'

/** A kept web forward, without the administrator who stopped it: administrators are people, too. */
const keptForward = (json: string) =>
  `nullif(${json}, 'null') - '{user_id,domain_id,disabled_by,blocked_target_id}'::text[]`

/** A kept monitor, without its secret. */
const keptMonitor = (json: string) => `nullif(${json}, 'null') - 'heartbeat_token_hash'`

const KEPT_DOMAINS = `
  (select coalesce(json_agg(d || jsonb_build_object('forward', ${keptForward(`d -> 'forward'`)},
                                                    'monitor', ${keptMonitor(`d -> 'monitor'`)})), '[]')
   from jsonb_array_elements(x.kept -> 'domains') as d)`

const NAMES: readonly Part[] = [
  {
    field: 'domains',
    tables: ['domains'],
    sql: byId(
      `x.id, x.fqdn, z.name as zone, x.is_wildcard, x.base_id, x.rrtype, host(x.record_ipv4) as record_ipv4,
       host(x.record_ipv6) as record_ipv6, x.ttl, x.is_active, x.locked, x.paused, x.over_limit, x.owner_blocked,
       x.note, x.tags, x.version, x.last_update_at, x.last_update_client, x.created_at, x.created_cc`,
      'domains x join zones z on z.id = x.zone_id',
    ),
  },
  {
    field: 'deleted_domains',
    tables: ['deleted_domains'],
    sql: byId(
      `x.id, x.fqdn, z.name as zone, x.base_id, x.rrtype, host(x.record_ipv4) as record_ipv4,
       host(x.record_ipv6) as record_ipv6, x.paused, x.note, x.tags, x.version, x.last_update_at, x.last_update_client, x.created_at, x.created_cc,
       x.deleted_at, x.token_prefix, x.token_created_at, x.token_last_used_at,
       host(x.token_last_used_ip) as token_last_used_ip, x.token_last_client, x.records,
       ${keptForward('x.forward')} as forward, ${keptMonitor('x.monitor')} as monitor`,
      'deleted_domains x join zones z on z.id = x.zone_id',
    ),
  },
  {
    field: 'former_domains',
    tables: ['former_domains'],
    sql: `select ${bigint('domain_id')}, domain_id, fqdn, deleted_at from former_domains
          where user_id = ? and domain_id > ? order by domain_id limit ?`,
  },
  {
    field: 'reserved_names',
    tables: ['name_reservations'],
    sql: numbered('fqdn, reserved_until', 'name_reservations', 'user_id', 'fqdn'),
  },
  {
    field: 'locked_names',
    tables: ['locked_names'],
    // Without the administrator who set the lock: administrators are people, too.
    sql: numbered('fqdn, locked_at', 'locked_names', 'user_id', 'fqdn'),
  },
  {
    field: 'web_forwards',
    tables: ['web_forwards'],
    // Without the administrator who stopped it: administrators are people, too.
    sql: byId(
      `x.id, x.domain_id, x.target_url, x.forwarding_type, x.status_code, x.title, x.description, x.keywords,
       x.forward_path, x.forward_query, x.is_active, x.target_set_at, x.fallback, x.checked_at, x.check_result,
       x.disabled_at, x.disabled_reason, x.version, x.created_at`,
      'web_forwards x',
    ),
  },
  {
    field: 'web_forward_hits',
    tables: ['forward_hits'],
    byDomain: true,
    sql: numbered(
      `forward_id, to_char(day, 'YYYY-MM-DD') as day, hits::float8 as hits`,
      '(select f.domain_id, h.* from web_forwards f join forward_hits h on h.forward_id = f.id) as by_day',
      'domain_id',
      'day',
    ),
  },
  ...MONITORS,
  {
    field: 'records',
    tables: ['records'],
    sql: byId(
      'x.id, z.name as zone, x.owner, x.type, x.ttl, x.rdata, x.origin',
      'records x join zones z on z.id = x.zone_id',
    ),
  },
  {
    field: 'zones',
    tables: ['zones'],
    sql: byId('x.id, x.name, x.is_served, x.created_at', 'zones x', 'x.owner_id'),
  },
  {
    field: 'zone_claims',
    tables: ['zone_claims'],
    // Without the token: it proves the ownership of the domain to this service.
    sql: byId(
      `x.id, x.name, x.state, x.is_vanity, x.uses_vanity, x.proof, x.was_delegated, x.claimed_at, x.expires_at, x.active_at,
       x.withheld_at, x.ended_at, x.last_check, x.checked_at, x.next_check_at, x.verified_at,
       case when x.kept is not null then json_build_object('domains', ${KEPT_DOMAINS}, 'records', x.kept -> 'records') end as kept`,
      'zone_claims x',
    ),
  },
  {
    field: 'update_tokens',
    tables: ['update_tokens'],
    sql: byId(
      `x.domain_id, x.prefix, x.created_at, ${LAST_USE}`,
      'update_tokens x join domains d on d.id = x.domain_id',
      'd.user_id',
    ),
  },
  {
    field: 'domain_history',
    tables: ['domain_events'],
    byDomain: true,
    // Without the identity of administrators: they are people, too.
    sql: `select ${bigint('id')}, domain_id, id, happened_at as time, fqdn, kind, actor,
            case when actor <> 'administrator' then actor_id end as actor_id,
            case when actor <> 'administrator' then host(source_ip) end as source_ip,
            case when actor <> 'administrator' then client end as client,
            host(old_ipv4) as old_ipv4, host(old_ipv6) as old_ipv6, host(new_ipv4) as new_ipv4, host(new_ipv6) as new_ipv6, detail, undoes
          from domain_events where domain_id = ? and id > ? order by id limit ?`,
  },
  {
    field: 'zone_history',
    tables: ['zone_events'],
    sql: byId(
      `x.claim_id, x.id, x.happened_at as time, c.name as zone, x.kind, x.actor, x.actor_id,
       host(x.source_ip) as source_ip, x.client, x.detail, x.undoes`,
      'zone_events x join zone_claims c on c.id = x.claim_id',
    ),
  },
  {
    field: 'update_calls',
    tables: ['update_calls'],
    byDomain: true,
    sql: numbered(
      `domain_id, first_at, last_at, times, is_refused, host(source_ip) as source_ip, client, dialect, path, said,
       answer, hint`,
      'update_calls',
      'domain_id',
      'is_refused, number',
    ),
  },
  {
    field: 'query_counts',
    tables: ['queries_1d'],
    byDomain: true,
    // Without the countries and networks of strangers, of which these are the sums.
    sql: numbered(
      'domain_id, day, queries',
      `(select domain_id, to_char(at at time zone 'UTC', 'YYYY-MM-DD') as day, queries::float8 as queries
        from queries_1d where dimension = 'total') as by_day`,
      'domain_id',
      'day',
    ),
  },
]

const ACCESS: readonly Part[] = [
  {
    field: 'sessions',
    tables: ['sessions'],
    sql: byId(
      `x.id, x.created_at, x.last_used_at, x.expires_at, x.confirmed_at, host(x.ip) as ip, x.user_agent as client`,
      'sessions x',
    ),
  },
  {
    field: 'login_history',
    tables: ['login_history'],
    sql: byId(
      'x.at as time, host(x.ip) as ip, x.cc, x.client, x.success, x.method',
      'login_history x',
    ),
  },
  {
    field: 'known_networks',
    tables: ['known_networks'],
    sql: numbered('network, seen_at', 'known_networks', 'user_id', 'network'),
  },
  {
    field: 'mail_links',
    tables: ['mail_links'],
    sql: byId('x.purpose, x.email, x.created_at, x.expires_at, x.used_at', 'mail_links x'),
  },
  {
    field: 'dismissed_notices',
    tables: ['notice_dismissals'],
    sql: numbered('kind, occurred_at, dismissed_at', 'notice_dismissals', 'user_id', 'kind'),
  },
]

const KEYS: readonly Part[] = [
  {
    field: 'api_keys',
    tables: ['api_keys'],
    sql: byId(
      `x.id, x.name, x.prefix, x.scope, x.created_at, x.expires_at, x.unused_days, x.unused_expires_at, ${LAST_USE},
       x.rotated_at, x.replaced_by, x.policy_id`,
      'api_keys x',
    ),
  },
  {
    field: 'trust_policies',
    tables: ['trust_policies'],
    sql: byId(
      `x.id, x.name, x.issuer, x.repository, x.repository_id, x.repository_owner_id, x.branch, x.environment, x.subject, x.scope, x.created_at,
       x.last_used_at, host(x.last_used_ip) as last_used_ip, x.last_subject`,
      'trust_policies x',
    ),
  },
  {
    field: 'idempotency_keys',
    tables: ['idempotency_keys'],
    sql: numbered(
      'key, operation, started_at, status, expires_at',
      'idempotency_keys',
      'user_id',
      'started_at, key',
    ),
  },
  {
    field: 'jobs',
    tables: [`${JOB_SCHEMA}.job`],
    // Jobs refer to the account by its id, or by the address that somebody entered.
    sql: numbered(
      'kind, state, created_at, completed_at',
      `(select u.id as user_id, coalesce(j.data ->> 'kind', j.name) as kind, j.state::text as state,
               j.created_on as created_at, j.completed_on as completed_at
        from users u join ${JOB_SCHEMA}.job j
          on j.data ->> 'userId' = u.id::text or lower(j.data ->> 'email') = lower(u.email)) as mine`,
      'user_id',
      'created_at',
    ),
  },
]

/** The lists before the second factors, and those after them. */
export const LISTS_BEFORE: readonly Part[] = [...NAMES, ...ACCESS]
export const LISTS_BEHIND: readonly Part[] = [...KEYS, ...PAYMENTS]

/** The parts of `second_factors`: which factors exist, and since when. */
export const SECOND_FACTORS: readonly Part<SecondFactorField>[] = [
  {
    field: 'totp',
    tables: ['totp_secrets'],
    sql: numbered('created_at, confirmed_at', 'totp_secrets', 'user_id', 'created_at'),
  },
  {
    field: 'recovery_codes',
    tables: ['recovery_codes'],
    sql: byId('x.created_at, x.used_at', 'recovery_codes x'),
  },
  {
    field: 'passkeys',
    tables: ['passkeys'],
    sql: byId(
      `x.id, x.name, x.transports, x.aaguid, x.is_synced, x.is_backed_up, x.created_at, x.last_used_at`,
      'passkeys x',
    ),
  },
]

/** The tables that the head of the archive reads. */
const HEAD_TABLES: readonly string[] = ['users', 'plans']

/** Every table that the archive reads. */
export function archivedTables(): string[] {
  const parts: readonly Part<string>[] = [...LISTS_BEFORE, ...SECOND_FACTORS, ...LISTS_BEHIND]
  return [...HEAD_TABLES, ...parts.flatMap(({ tables }) => tables)]
}
