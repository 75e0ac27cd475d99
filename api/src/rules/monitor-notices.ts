/**
 * Which waiting notifications of an account become mails.
 *
 * A mail says what has lasted: a monitor that was down and is up again before the mail was sent is not mentioned, and a
 * monitor that goes down again soon after a mail gets the next one later. When many monitors of an account change at
 * once, one mail is about all of them.
 */
import type { MonitorMessage, MonitorState } from '@homing/openapi/vocabulary'

/** Maximum number of monitors with mails of their own. */
const SINGLE_LIMIT = 5
/** Other monitors of the account are waited for this long after the first notification was due. */
const GATHER_MS = 60_000
/** The shortest time between two mails that say that a monitor is down. */
const COOL_DOWN_MS = 10 * 60_000

/** A notification that waits, and its monitor as it is now. */
export interface WaitingNotice {
  readonly id: string
  readonly monitorId: string
  readonly message: MonitorMessage
  /** How long it has been due, in milliseconds; negative: it is due later. */
  readonly overdueMs: number
  readonly state: MonitorState
  readonly notifiesDown: boolean
  /** Whether the certificate that it is about is still in use. */
  readonly isPresentCertificate: boolean
  /** What the last mail about the state of the monitor said. */
  readonly lastMessage: 'down' | 'up' | null
  /** Milliseconds since the last mail that said that the monitor is down; null: there was none. */
  readonly lastDownMs: number | null
}

export interface Postponement {
  readonly id: string
  readonly byMs: number
}

/** What becomes of notifications. Those that it does not contain wait. */
export interface NoticeDecision {
  /** The notifications of each mail. A mail about several is a digest. */
  readonly mails: readonly (readonly string[])[]
  readonly skipped: readonly string[]
  readonly postponed: readonly Postponement[]
}

const isOpposite = (one: MonitorMessage, other: MonitorMessage) =>
  (one === 'down' && other === 'up') || (one === 'up' && other === 'down')

/**
 * Removes each change of state together with the one that reverts it. Of two that say the same, the later one stays: the
 * owner did not want to know about the change between them.
 */
function lasting(notices: readonly WaitingNotice[]): WaitingNotice[] {
  const left: WaitingNotice[] = []
  for (const notice of notices) {
    const last = left.findLastIndex(({ message }) => message === 'down' || message === 'up')
    const reverted = left[last]
    const isSame = reverted?.message === notice.message
    const isReverted = reverted !== undefined && isOpposite(reverted.message, notice.message)
    if (isSame || isReverted) left.splice(last, 1)
    if (!isReverted) left.push(notice)
  }
  return left
}

type Verdict = 'send' | 'skip' | number

/** What to do with a notification that is due: a number of milliseconds postpones it. */
function verdictOf(notice: WaitingNotice): Verdict {
  const { message, state, lastMessage, lastDownMs } = notice
  if (message === 'test') return 'send'
  if (message === 'certificate') return notice.isPresentCertificate ? 'send' : 'skip'
  if (message === 'up') return lastMessage === 'down' || !notice.notifiesDown ? 'send' : 'skip'
  // It may still be down, which is not announced again.
  if (state === 'unknown' || state === 'maintenance') return GATHER_MS
  if (state !== 'down') return 'skip'
  const waitMs = lastDownMs === null ? 0 : COOL_DOWN_MS - lastDownMs
  return waitMs > 0 ? waitMs : 'send'
}

const countMonitors = (notices: readonly WaitingNotice[]) =>
  new Set(notices.map(({ monitorId }) => monitorId)).size

/** Mails about one monitor each, or one about all. A test stands alone. */
function mailsOf(sent: readonly WaitingNotice[]): string[][] {
  const tests = sent.filter(({ message }) => message === 'test')
  const others = sent.filter(({ message }) => message !== 'test')
  const ids = others.map(({ id }) => id)
  const mails = countMonitors(others) > SINGLE_LIMIT ? [ids] : ids.map((id) => [id])
  return [...tests.map(({ id }) => [id]), ...mails]
}

/** @param notices all that wait for one account, the oldest first */
export function decideNotices(notices: readonly WaitingNotice[]): NoticeDecision {
  const kept = [...Map.groupBy(notices, ({ monitorId }) => monitorId).values()].flatMap(lasting)
  const keptIds = new Set(kept.map(({ id }) => id))
  const skipped = notices.filter(({ id }) => !keptIds.has(id)).map(({ id }) => id)
  const postponed: Postponement[] = []
  const sent: WaitingNotice[] = []
  for (const notice of kept.filter(({ overdueMs }) => overdueMs >= 0)) {
    const verdict = verdictOf(notice)
    if (verdict === 'send') sent.push(notice)
    else if (verdict === 'skip') skipped.push(notice.id)
    else postponed.push({ id: notice.id, byMs: verdict })
  }
  const changes = sent.filter(({ message }) => message !== 'test')
  const coming = kept.filter(({ overdueMs }) => overdueMs < 0)
  const soon = coming.filter(({ overdueMs }) => overdueMs >= -GATHER_MS)
  const isGathering =
    soon.length > 0 &&
    countMonitors([...changes, ...soon]) > SINGLE_LIMIT &&
    Math.max(0, ...changes.map(({ overdueMs }) => overdueMs)) < GATHER_MS
  const now = isGathering ? sent.filter(({ message }) => message === 'test') : sent
  return { mails: mailsOf(now), skipped, postponed }
}
