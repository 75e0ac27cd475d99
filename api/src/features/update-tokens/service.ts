/** The update token of a domain: at most one, shown once, stored as its digest. */
import type { Knex } from 'knex'
import { requireLiveSession } from '../../credentials/session.ts'
import { notifyKeyEvent } from '../../credentials/notify-key-event.ts'
import { notFound, Refusal } from '../../rules/errors.ts'
import { digestBytes, newSecret, secretPrefix } from '../../rules/secrets.ts'
import { lockAccount } from '../../feed/lock-order.ts'
import { requireAllowance } from '../../limits/require-allowance.ts'
import { Domain } from '../../models/domain.ts'
import type { Row } from '../../models/table.ts'
import { UpdateToken } from '../../models/update-token.ts'
import type { RequestSource } from '../../caller/request-source.ts'
import type { SessionPrincipal } from '../../caller/principal.ts'
import type { Services } from '../../compose.ts'

const SHOWN = ['prefix', 'created_at', 'last_used_at', 'last_used_ip', 'last_client'] as const

export type UpdateTokenRow = Pick<Row<typeof UpdateToken>, (typeof SHOWN)[number]>

/** @throws Refusal `not-found` for an id that does not exist or belongs to another account */
async function requireOwned(knex: Knex, userId: string, domainId: string): Promise<Domain> {
  const domain = await Domain.query(knex).findById(domainId).modify('ownedBy', userId)
  if (domain === undefined) throw notFound('domain')
  return domain
}

function noToken({ fqdn, is_wildcard }: Domain): Refusal {
  return new Refusal(
    'no-update-token',
    is_wildcard
      ? `${fqdn} is a wildcard and follows its base domain. A wildcard does not have its own update token.`
      : `${fqdn} has no update token yet.`,
  )
}

/** @throws Refusal `not-found`, `no-update-token` */
export async function findUpdateToken(
  knex: Knex,
  userId: string,
  domainId: string,
): Promise<UpdateTokenRow> {
  const token = await UpdateToken.query(knex)
    .findOne({ domain_id: domainId })
    .modify('ownedBy', userId)
  if (token === undefined) throw noToken(await requireOwned(knex, userId, domainId))
  return token
}

/** @throws Refusal `conflict` for a wildcard */
function requireBase({ fqdn, is_wildcard }: Domain): void {
  if (!is_wildcard) return
  throw new Refusal(
    'conflict',
    `${fqdn} is a wildcard and follows its base domain. Create the update token of the base domain instead.`,
  )
}

const exists = ({ fqdn }: Domain) =>
  new Refusal(
    'update-token-exists',
    `${fqdn} already has an update token, and a router may be using it. Set replace to replace it.`,
  )

/** The domain of the new token, and whether the new token may replace an existing one. */
interface NewToken {
  readonly domainId: string
  readonly isReplacing: boolean
}

/**
 * Creates the token of a domain. The account stays locked until commit, so of concurrent requests one creates the
 * token and the others find it. The owner is notified by mail.
 *
 * @throws Refusal `not-found`, `conflict` for a wildcard, `update-token-exists`, `rate-limited`, `unauthenticated`
 */
export async function createUpdateToken(
  services: Services,
  principal: SessionPrincipal,
  { domainId, isReplacing }: NewToken,
  source: RequestSource,
): Promise<UpdateTokenRow & { readonly token: string }> {
  const { knex, now, randomBytes } = services
  const { id: userId } = principal.account
  await requireAllowance(services, 'notices-account', userId)
  const token = newSecret('update_token', randomBytes)
  const prefix = secretPrefix(token)
  return knex.transaction(async (trx) => {
    await lockAccount(trx, userId)
    await requireLiveSession(trx, principal)
    const domain = await requireOwned(trx, userId, domainId)
    requireBase(domain)
    const former = await UpdateToken.query(trx).findOne({ domain_id: domainId }).forUpdate()
    if (former !== undefined && !isReplacing) throw exists(domain)
    // A replacement gets another id, so that the last use of the old token is not shown for the new one.
    await former?.$query(trx).delete()
    const [row] = await UpdateToken.query(trx)
      .insert({ domain_id: domainId, prefix, secret_digest: digestBytes(token), created_at: now() })
      .returning([...SHOWN])
      .toKnexQuery<UpdateTokenRow>()
    if (row === undefined) throw new Error('an inserted update token has a row')
    const event = former === undefined ? 'token-created' : 'token-replaced'
    await notifyKeyEvent(services, trx, { userId, event, name: domain.fqdn, mark: prefix }, source)
    return { ...row, token }
  })
}

/** @throws Refusal `not-found`, `no-update-token` */
export async function deleteUpdateToken(
  knex: Knex,
  userId: string,
  domainId: string,
): Promise<void> {
  const gone = await UpdateToken.query(knex)
    .delete()
    .where('domain_id', domainId)
    .modify('ownedBy', userId)
  if (gone === 0) throw noToken(await requireOwned(knex, userId, domainId))
}
