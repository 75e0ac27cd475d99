/** The update token of a domain: one at most, shown once, kept as its digest. */
import type { Knex } from 'knex'
import { requireLiveSession } from '../../credentials/session.ts'
import { tellOfKey } from '../../credentials/tell-of-key.ts'
import { notFound, Refusal } from '../../domain/errors.ts'
import { digestOf, newSecret, secretPrefix } from '../../domain/secrets.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import { requireAllowance } from '../../integrations/allowance.ts'
import type { Origin } from '../../plugins/contract.ts'
import type { SessionPrincipal } from '../../principal.ts'
import type { Services } from '../../services.ts'
import { query } from '../../sql.ts'

export interface UpdateTokenRow {
  readonly prefix: string
  readonly created_at: Date
  readonly last_used_at: Date | null
  readonly last_used_ip: string | null
  readonly last_client: string | null
}

const COLUMNS =
  't.prefix, t.created_at, t.last_used_at, host(t.last_used_ip) as last_used_ip, t.last_client'

interface Owned {
  readonly fqdn: string
  readonly is_wildcard: boolean
}

/** @throws Refusal `not-found` for an id that does not exist and for somebody else's */
async function requireOwned(knex: Knex, userId: string, domainId: string): Promise<Owned> {
  const [domain] = await query<Owned>(
    knex,
    'select fqdn, is_wildcard from domains where id = ? and user_id = ?',
    [domainId, userId],
  )
  if (domain === undefined) throw notFound('domain')
  return domain
}

function noToken({ fqdn, is_wildcard }: Owned): Refusal {
  return new Refusal(
    'no-update-token',
    is_wildcard
      ? `${fqdn} follows its base. A wildcard has no update token of its own.`
      : `${fqdn} has no update token yet.`,
  )
}

/** @throws Refusal `not-found`, `no-update-token` */
export async function findUpdateToken(
  knex: Knex,
  userId: string,
  domainId: string,
): Promise<UpdateTokenRow> {
  const [row] = await query<UpdateTokenRow>(
    knex,
    `select ${COLUMNS} from update_tokens t join domains d on d.id = t.domain_id
     where d.id = ? and d.user_id = ?`,
    [domainId, userId],
  )
  if (row === undefined) throw noToken(await requireOwned(knex, userId, domainId))
  return row
}

/** Why a token was not created. */
async function refusalOf(knex: Knex, userId: string, domainId: string): Promise<Refusal> {
  const { fqdn, is_wildcard } = await requireOwned(knex, userId, domainId)
  if (is_wildcard) {
    return new Refusal(
      'conflict',
      `${fqdn} is a wildcard and follows its base. Create the update token of the base instead.`,
    )
  }
  return new Refusal(
    'update-token-exists',
    `${fqdn} already has an update token, and a router may be using it. Set replace to end it and create another.`,
  )
}

// A replacement gets another id, so that the last use of the old token is not shown as its own. The domain is held, so
// that it cannot be deleted between being looked for and being referred to.
const CREATE = `
  with owned as (
    select id, fqdn, exists (select from update_tokens where domain_id = domains.id) as had_token
    from domains where id = ? and user_id = ? and not is_wildcard for key share
  ), made as (
    insert into update_tokens as t (domain_id, prefix, secret_digest, created_at)
    select id, ?, decode(?, 'hex'), ? from owned
    on conflict (domain_id) do update set
      id = default, prefix = excluded.prefix, secret_digest = excluded.secret_digest, created_at = excluded.created_at,
      last_used_at = null, last_used_ip = null, last_client = null
    where ?
    returning t.domain_id, ${COLUMNS}
  )
  select m.*, o.fqdn, o.had_token from made m join owned o on o.id = m.domain_id`

interface MadeToken extends UpdateTokenRow {
  readonly fqdn: string
  readonly had_token: boolean
}

/** The domain whose token is wanted, and whether a token that it has ends for the new one. */
interface NewToken {
  readonly domainId: string
  readonly isReplacing: boolean
}

/**
 * Creates the token of a domain. The account stays locked until commit, so of parallel requests one creates the token
 * and the others find it. The owner is told by mail.
 *
 * @throws Refusal `not-found`, `conflict` for a wildcard, `update-token-exists`, `rate-limited`, `unauthenticated`
 */
export async function createUpdateToken(
  services: Services,
  principal: SessionPrincipal,
  { domainId, isReplacing }: NewToken,
  origin: Origin,
): Promise<UpdateTokenRow & { readonly token: string }> {
  const { knex, now, randomBytes } = services
  const { id: userId } = principal.account
  await requireAllowance(services, 'notices-account', userId)
  const token = newSecret('update_token', randomBytes)
  const [prefix, digest] = [secretPrefix(token), digestOf(token)]
  return knex.transaction(async (trx) => {
    await lockAccount(trx, userId)
    await requireLiveSession(trx, principal)
    const values = [domainId, userId, prefix, digest, now(), isReplacing]
    const [row] = await query<MadeToken>(trx, CREATE, values)
    if (row === undefined) throw await refusalOf(trx, userId, domainId)
    const event = row.had_token ? 'token-replaced' : 'token-created'
    await tellOfKey(services, trx, { userId, event, name: row.fqdn, mark: prefix }, origin)
    return { ...row, token }
  })
}

/** @throws Refusal `not-found`, `no-update-token` */
export async function deleteUpdateToken(
  knex: Knex,
  userId: string,
  domainId: string,
): Promise<void> {
  const gone = await query(
    knex,
    `delete from update_tokens t using domains d
     where d.id = t.domain_id and d.id = ? and d.user_id = ? returning t.id`,
    [domainId, userId],
  )
  if (gone.length === 0) throw noToken(await requireOwned(knex, userId, domainId))
}
