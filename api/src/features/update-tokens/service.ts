/** The update token of a domain: one at most, shown once, kept as its digest. */
import type { Knex } from 'knex'
import { notFound, Refusal } from '../../domain/errors.ts'
import { digestOf, newSecret, secretPrefix } from '../../domain/secrets.ts'
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

/** What stands in the way of a token that was not made. */
async function refusalOf(knex: Knex, userId: string, domainId: string): Promise<Refusal> {
  const { fqdn, is_wildcard } = await requireOwned(knex, userId, domainId)
  if (is_wildcard) {
    return new Refusal('conflict', `${fqdn} follows its base. Make the update token of that one.`)
  }
  return new Refusal(
    'update-token-exists',
    `${fqdn} has an update token, and a router may be using it. Say that it shall be replaced.`,
  )
}

// A replaced token is another one, so it has another id: what the old one did is not told of it. The domain is held, so
// that it cannot be deleted between being looked for and being referred to.
const CREATE = `
  with owned as (
    select id from domains where id = ? and user_id = ? and not is_wildcard for key share
  )
  insert into update_tokens as t (domain_id, prefix, secret_digest, created_at)
  select id, ?, decode(?, 'hex'), ? from owned
  on conflict (domain_id) do update set
    id = default, prefix = excluded.prefix, secret_digest = excluded.secret_digest, created_at = excluded.created_at,
    last_used_at = null, last_used_ip = null, last_client = null
  where ?
  returning ${COLUMNS}`

/**
 * Makes the token of a domain. The domain's row decides between parallel requests: one
 * makes it, the others hear that it is there.
 *
 * @param isReplacing whether a token that there is ends for this one
 * @throws Refusal `not-found`, `conflict` for a wildcard, `update-token-exists`
 */
export async function createUpdateToken(
  { knex, now, randomBytes }: Services,
  userId: string,
  domainId: string,
  isReplacing: boolean,
): Promise<UpdateTokenRow & { readonly token: string }> {
  const token = newSecret('update_token', randomBytes)
  const [row] = await query<UpdateTokenRow>(knex, CREATE, [
    domainId,
    userId,
    secretPrefix(token),
    digestOf(token),
    now(),
    isReplacing,
  ])
  if (row === undefined) throw await refusalOf(knex, userId, domainId)
  return { ...row, token }
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
