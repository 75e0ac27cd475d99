/*
 * Blocked targets (table `blocked_targets`): where no web forward may lead.
 *
 * No forward to a blocked target can be created, changed to or resumed. Existing ones are disabled with the reason of the
 * block, and `blocked_target_id` says so; they start again when the block is deleted. A forward that an administrator
 * disabled itself is left alone.
 *
 * A writer of forwards looks for blocks while it holds them (`holdBlockedTargets`), and a new block waits for such
 * writers (`lockBlockedTargets`). So a forward is either refused or found when the new block is applied.
 *
 * A block is applied in steps, each a transaction of its own. The first runs within the administrator's call, and the
 * job `blocked-target` does the rest.
 */
import type { Knex } from 'knex'
import { query } from '../database/sql.ts'
import { BlockedTarget, type BlockedTargetRow } from '../models/blocked-target.ts'
import { everyColumnOf } from '../models/table.ts'
import { WebForward, type WebForwardRow } from '../models/web-forward.ts'
import { covers, hostsCovering } from '../rules/blocked-target.ts'
import { blockedFormOf, hostAndPortOf } from '../rules/forward-target.ts'
import type { Actor } from './address-change.ts'
import { disableForwards, type ForwardModeration } from './forwards.ts'
import { holdBlockedTargets, lockAccounts, lockDomains } from './lock-order.ts'
import type { DomainRow } from './rows.ts'

/** Forwards of one step: each with its wildcard and records must fit into one change set of a zone. */
const STEP_SIZE = 50

/** The blocks that cover a URL, the oldest first. */
export async function blocksCovering(
  db: Knex,
  urls: readonly URL[],
): Promise<readonly BlockedTargetRow[]> {
  const rows = await query<BlockedTargetRow>(
    db,
    `select ${everyColumnOf(BlockedTarget, 'b')} from blocked_targets b
     where b.host = any (?::text[]) order by b.id`,
    [urls.flatMap(hostsCovering)],
    'blocks-covering',
  )
  return rows.filter((block) => urls.some((url) => covers(block, url)))
}

// Also of domains that were lost with their zone: their owner can have another account, or get the zone back.
const DISABLED_AT_HOSTS = `
  select target_url from web_forwards
  where disabled_at is not null and blocked_target_id is null and split_part(target_url, '/', 3) = any (?::text[])
  union all
  select f.target_url
  from zone_claims c cross join jsonb_array_elements(c.kept -> 'domains') as d
  cross join jsonb_populate_record(null::web_forwards, nullif(d -> 'forward', 'null')) as f
  where c.kept is not null and f.disabled_at is not null and f.blocked_target_id is null
    and split_part(f.target_url, '/', 3) = any (?::text[])`

/** Whether an administrator blocked one of these URLs, for all forwards or by disabling a forward to it. */
export async function isBlocked(db: Knex, urls: readonly URL[]): Promise<boolean> {
  if (urls.length === 0) return false
  if ((await blocksCovering(db, urls)).length > 0) return true
  const hosts = urls.map(hostAndPortOf)
  const rows = await query<{ target_url: string }>(db, DISABLED_AT_HOSTS, [hosts, hosts])
  const blocked = new Set(rows.map(({ target_url }) => blockedFormOf(new URL(target_url))))
  return urls.some((url) => blocked.has(blockedFormOf(url)))
}

const HOST = `btrim(regexp_replace(split_part(f.target_url, '/', 3), ':[0-9]+$', ''), '[]')`

// Of a block that exists: forwards to its host that are not disabled. Of one that was deleted: those that it stopped.
const CANDIDATES = `
  select f.id, f.user_id, f.domain_id, f.target_url
  from web_forwards f left join blocked_targets b on b.id = ?
  where f.id > ? and case
    when b.id is null then f.blocked_target_id = ?
    else f.disabled_at is null and (${HOST} = b.host
      or (b.scope = 'subdomains' and right(${HOST}, length(b.host) + 1) = '.' || b.host)) end
  order by f.id limit ${STEP_SIZE}`

type Candidate = Pick<WebForwardRow, 'id' | 'user_id' | 'domain_id' | 'target_url'>

/** What has to happen to a forward; undefined: nothing. */
function moderationOf(
  base: DomainRow,
  before: WebForwardRow,
  blocks: readonly BlockedTargetRow[],
): ForwardModeration | undefined {
  const { disabled_at, blocked_target_id, target_url } = before
  const isDisabledItself = disabled_at !== null && blocked_target_id === null
  const isSettled = blocks.some(({ id }) => id === blocked_target_id)
  if (isDisabledItself || isSettled) return undefined
  const target = new URL(target_url)
  const block = blocks.find((each) => covers(each, target))
  if (block === undefined && blocked_target_id === null) return undefined
  const disabling = block && {
    reason: block.reason,
    by: block.blocked_by,
    blockedTargetId: block.id,
  }
  return { base, before, disabling }
}

const NAMED = `select id from domains where id = any (?::bigint[]) or base_id = any (?::bigint[])`

/** Stops or starts these forwards by the blocks that there are now. */
async function settle(
  trx: Knex.Transaction,
  candidates: readonly Candidate[],
  actor: Actor,
): Promise<void> {
  await lockAccounts(
    trx,
    candidates.map(({ user_id }) => user_id),
  )
  const baseIds = candidates.map(({ domain_id }) => domain_id)
  const named = await query<{ id: string }>(trx, NAMED, [baseIds, baseIds])
  const domains = await lockDomains(
    trx,
    named.map(({ id }) => id),
  )
  await holdBlockedTargets(trx)
  const forwards = await WebForward.query(trx)
    .whereIn(
      'id',
      candidates.map(({ id }) => id),
    )
    .orderBy('id')
    .toKnexQuery<WebForwardRow>()
  const blocks = await blocksCovering(
    trx,
    forwards.map(({ target_url }) => new URL(target_url)),
  )
  const byId = new Map(domains.map((domain) => [domain.id, domain]))
  const due = forwards.flatMap((forward) => {
    const base = byId.get(forward.domain_id)
    return (base && moderationOf(base, forward, blocks)) ?? []
  })
  await disableForwards(trx, due, actor)
}

/**
 * Applies a block to forwards whose ids are above `after`: stops those that it covers, or starts those that it stopped if
 * it was deleted.
 *
 * @returns the id after which the next step continues; undefined when all forwards match the blocks
 */
export async function applyBlockedTarget(
  knex: Knex,
  id: string,
  after: string,
  actor: Actor,
): Promise<string | undefined> {
  const found = await query<Candidate>(knex, CANDIDATES, [id, after, id])
  const block = await BlockedTarget.query(knex).findById(id)
  const concerned = block
    ? found.filter(({ target_url }) => covers(block, new URL(target_url)))
    : found
  if (concerned.length > 0) await knex.transaction((trx) => settle(trx, concerned, actor))
  return found.length < STEP_SIZE ? undefined : found.at(-1)?.id
}
