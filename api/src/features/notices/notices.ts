/** Lists and dismisses the notices of an account. They are derived anew for each call; only dismissals are stored. */
import type { Notice } from '@homing/openapi'
import type { Services } from '../../compose.ts'
import { NoticeDismissal } from '../../models/notice-dismissal.ts'
import { type AccountNotice, noticesOf } from '../../rules/account-notices.ts'
import { notFound, Refusal } from '../../rules/errors.ts'
import { readNoticeFacts } from './facts.ts'

type NoticeServices = Pick<Services, 'knex' | 'now'>

const idOf = ({ kind, occurredAt }: Pick<AccountNotice, 'kind' | 'occurredAt'>) =>
  `${kind}-${occurredAt.getTime()}`

const dismissalsOf = (knex: Services['knex'], userId: string) =>
  NoticeDismissal.query(knex).modify('ownedBy', userId)

const bodyOf = (notice: AccountNotice): Notice => ({
  id: idOf(notice),
  kind: notice.kind,
  severity: notice.severity,
  title: notice.title,
  text: notice.text,
  action: notice.action,
  ...(notice.steps && { steps: [...notice.steps] }),
  dismissable: notice.isFirm !== true,
  created_at: notice.occurredAt.toISOString(),
})

/** What concerns the account and was not dismissed, the most important first. */
export async function listNotices(services: NoticeServices, userId: string): Promise<Notice[]> {
  const notices = noticesOf(await readNoticeFacts(services, userId))
  const dismissals = await dismissalsOf(services.knex, userId)
  const hiddenUntil = new Map(dismissals.map((row) => [row.kind, row.occurred_at.getTime()]))
  const isShown = ({ kind, occurredAt, isFirm }: AccountNotice) =>
    isFirm === true || occurredAt.getTime() > (hiddenUntil.get(kind) ?? -Infinity)
  return notices.filter(isShown).map(bodyOf)
}

/**
 * Hides a notice until its cause occurs again.
 *
 * @throws Refusal `not-found` for a notice that the account does not have, `conflict` for one that must be settled
 */
export async function dismissNotice(
  services: NoticeServices,
  userId: string,
  id: string,
): Promise<void> {
  const { knex, now } = services
  const notices = noticesOf(await readNoticeFacts(services, userId))
  const notice = notices.find((each) => idOf(each) === id)
  if (notice === undefined) {
    // The cause may be gone since the first call.
    const dismissals = await dismissalsOf(knex, userId)
    if (dismissals.some((row) => idOf({ kind: row.kind, occurredAt: row.occurred_at }) === id))
      return
    throw notFound('notice')
  }
  if (notice.isFirm === true) {
    throw new Refusal('conflict', `This notice disappears when it is settled: ${notice.text}`)
  }
  const { kind, occurredAt: occurred_at } = notice
  await NoticeDismissal.query(knex)
    .insert({ user_id: userId, kind, occurred_at, dismissed_at: now() })
    .onConflict(['user_id', 'kind'])
    .merge()
    .where('notice_dismissals.occurred_at', '<', occurred_at)
}
