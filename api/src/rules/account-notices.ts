/**
 * What currently concerns an account, from what the tables say about it: the notices that its screens show. A notice has
 * a time at which its cause occurred. It identifies the occurrence: an owner who dismissed a notice sees it again when
 * the cause occurs later.
 */
import {
  NOTICE_KINDS,
  type NoticeKind,
  type NoticeSeverity,
  TERMS_VERSION,
} from '@homing/openapi/vocabulary'
import { money, moment, named, plural, span } from './notice-words.ts'
import {
  type FirstSteps,
  firstSteps,
  lateUpdates,
  type NoticeStep,
  oneFamilyUpdates,
  refusedUpdates,
  type UpdatedGroup,
} from './update-notices.ts'
import {
  cardExpiring,
  paymentFailed,
  subscriptionEnding,
  type SubscriptionFacts,
} from './payment-notices.ts'

/** Domains or keys: how many, the names of some, and the time of the latest. Times are ISO 8601, or as PostgreSQL writes them in JSON. */
interface Group {
  readonly count: number
  readonly names: readonly string[] | null
  readonly at: string | null
}

export interface NoticeFacts {
  readonly plan: string
  readonly createdAt: Date
  readonly termsVersion: string | null
  readonly silentDays: number | null
  readonly hasSecondFactor: boolean
  readonly domainLimit: number
  /** Whether the plan includes API keys. */
  readonly hasKeys: boolean
  readonly domains: Pick<Group, 'count' | 'at'>
  readonly locked: Group
  readonly overLimit: Group
  /** Own zones whose delegation worked and broke. */
  readonly brokenZones: Group
  /** Own zones that the plan does not include. `endsAt`: until when the first of them is served. */
  readonly outsideZones: Group & { readonly endsAt: string | null; readonly withheld: number }
  readonly silent: Group
  readonly refusedUpdates: UpdatedGroup
  readonly lateUpdates: UpdatedGroup
  readonly oneFamilyUpdates: UpdatedGroup
  /** Null for accounts that know the way. */
  readonly firstSteps: FirstSteps | null
  readonly expiringKeys: Group & { readonly endsAt: string | null }
  /** Keys that have not expired. */
  readonly keys: Group
  readonly recoveryCodes: { readonly left: number; readonly at: string | null }
  readonly recoverySignIn: {
    readonly at: string
    readonly ip: string
    readonly cc: string | null
  } | null
  readonly failedSignIns: Pick<Group, 'count' | 'at'>
  readonly emailChange: { readonly at: string; readonly endsAt: string } | null
  /** Null without a subscription that has not ended. */
  readonly subscription: SubscriptionFacts | null
  /** The cheapest plan above the account's own that costs something. */
  readonly nextPlan: {
    readonly id: string
    readonly domainLimit: number
    readonly ttl: number
    readonly monthCents: number
    readonly currency: string
  } | null
}

export interface AccountNotice {
  readonly kind: NoticeKind
  readonly severity: NoticeSeverity
  readonly title: string
  readonly text: string
  readonly action: { readonly label: string; readonly url: string }
  readonly occurredAt: Date
  readonly steps?: readonly NoticeStep[]
  /** It must be settled, so it cannot be dismissed. */
  readonly isFirm?: true
}

type Written = Omit<AccountNotice, 'kind' | 'occurredAt'> & { readonly at: string | Date | null }

/** Failed sign-ins within a day that are more than mistyped passwords. */
const MANY_FAILURES = 10
const FEW_CODES = 3

const PLAN_NAMES: Readonly<Record<string, string>> = { pro: 'Pro', elite: 'Elite' }

const settings = (section: string, label: string) => ({ label, url: `/#settings/${section}` })
const DOMAINS = { label: 'View Domains', url: '/#dashboard' }
const ZONES = { label: 'View Zones', url: '/#zones' }
const PLANS = { label: 'Compare Plans', url: '/pricing' }
const ACTIVITY = settings('activity', 'View Login Activity')

/** Writes the notice of each kind; undefined where there is nothing to say. */
const WRITERS: Readonly<Record<NoticeKind, (facts: NoticeFacts) => Written | undefined>> = {
  'payment-failed': ({ subscription }) => paymentFailed(subscription),

  'recovery-code-used': ({ recoverySignIn: signIn }) =>
    signIn === null
      ? undefined
      : {
          severity: 'warning',
          title: 'Somebody signed in with a recovery code. Was this you?',
          text: `The sign-in was at ${moment(signIn.at)} from ${signIn.ip}${signIn.cc === null ? '' : ` (${signIn.cc})`}. If it was not you, set a new password at once.`,
          action: ACTIVITY,
          at: signIn.at,
        },

  'failed-sign-ins': ({ failedSignIns: { count, at } }) =>
    count < MANY_FAILURES
      ? undefined
      : {
          severity: 'warning',
          title: `${count} sign-ins failed within a day. Was this you?`,
          text: 'Somebody may be guessing your password. A second factor protects the account even if the password is guessed.',
          action: ACTIVITY,
          at,
        },

  'recovery-codes-few'({ hasSecondFactor, recoveryCodes: { left, at }, createdAt }) {
    if (!hasSecondFactor || left > FEW_CODES) return undefined
    const action = settings('two-factor', 'Create Recovery Codes')
    if (left > 0) {
      return {
        severity: 'warning',
        title: `You have ${left} recovery ${plural(left, 'code', 'codes')} left`,
        text: 'If you lose your second factor, you need one to sign in. You can create ten new ones.',
        action,
        at,
      }
    }
    return {
      severity: 'error',
      title: 'You have no recovery codes left',
      text: 'If you lose your second factor, you cannot sign in any more. Create new recovery codes.',
      action,
      at: at ?? createdAt,
      isFirm: true,
    }
  },

  'domains-locked': ({ locked: { count, names, at } }) =>
    count === 0
      ? undefined
      : {
          severity: 'error',
          title: `An administrator locked ${named(names, count, 'domain')}`,
          text: `DNS does not answer for ${plural(count, 'it', 'them')}, and updates are refused. Please contact support.`,
          action: { ...DOMAINS, url: '/#dashboard?q=status%3Alocked' },
          at,
        },

  'zones-broken': ({ brokenZones: { count, names, at } }) =>
    count === 0
      ? undefined
      : {
          severity: 'error',
          title: `The delegation of ${named(names, count, 'zone')} is broken`,
          text: `The last daily checks found that the parent zone does not delegate ${plural(count, 'it', 'them')} to this service correctly. Names there can be unreachable.`,
          action: ZONES,
          at,
        },

  'zones-withheld': ({ outsideZones: { count, names, at, endsAt, withheld } }) =>
    count === 0
      ? undefined
      : {
          severity: withheld > 0 ? 'error' : 'warning',
          title:
            withheld > 0
              ? `DNS does not answer for ${named(names, count, 'zone')}`
              : `DNS answers for ${named(names, count, 'zone')} until ${moment(endsAt ?? '')}`,
          text: 'Your plan does not include own zones. Their records and domains are kept, and work again with a plan that includes own zones.',
          action: PLANS,
          at,
        },

  'domains-over-limit': ({ overLimit: { count, names, at }, domainLimit }) =>
    count === 0
      ? undefined
      : {
          severity: 'error',
          title: `DNS does not answer for ${named(names, count, 'domain')}`,
          text: `Your plan includes ${domainLimit} ${plural(domainLimit, 'domain', 'domains')}. The others are kept. They work again with a larger plan, or when you delete other domains.`,
          action: PLANS,
          at,
        },

  'updates-refused': ({ refusedUpdates: group }) => refusedUpdates(group),

  'updates-late': ({ lateUpdates: group }) => lateUpdates(group),

  'family-not-updated': ({ oneFamilyUpdates: group }) => oneFamilyUpdates(group),

  'domains-silent': ({ silent: { count, names, at }, silentDays }) =>
    count === 0 || silentDays === null
      ? undefined
      : {
          severity: 'warning',
          title: `No update for ${named(names, count, 'domain')}`,
          text: `The last update was more than ${plural(silentDays, 'a day', `${silentDays} days`)} ago. DNS still answers with the last address. If the address can change, check the router or the program that updates it.`,
          action: { ...DOMAINS, url: '/#dashboard?sort=last_update_at' },
          at,
        },

  'keys-not-in-plan': ({ keys: { count, names, at }, hasKeys }) =>
    count === 0 || hasKeys
      ? undefined
      : {
          severity: 'warning',
          title: `${count === 1 ? 'An API key does' : `${count} API keys do`} not work: ${named(quoted(names), count, 'key')}`,
          text: 'Your plan does not include API keys. They are kept, and work again with a plan that includes them.',
          action: PLANS,
          at,
        },

  'subscription-ending': ({ subscription }) => subscriptionEnding(subscription),

  'card-expiring': ({ subscription }) => cardExpiring(subscription),

  'keys-expiring': ({ expiringKeys: { count, names, at, endsAt }, hasKeys }) =>
    count === 0 || !hasKeys || endsAt === null
      ? undefined
      : {
          severity: 'warning',
          title:
            count === 1
              ? `The API key ${named(quoted(names), count, 'key')} expires soon`
              : `${count} API keys expire soon: ${named(quoted(names), count, 'key')}`,
          text: `${plural(count, 'It expires', 'The first expires')} at ${moment(endsAt)}. Programs that use an expired key are refused. To keep a key, change its expiry.`,
          action: settings('api-keys', 'View API Keys'),
          at,
        },

  'email-change': ({ emailChange: change }) =>
    change === null
      ? undefined
      : {
          severity: 'info',
          title: 'The change of your email address waits for confirmation',
          text: `Open the links that we mailed to both addresses before ${moment(change.endsAt)}. Your address does not change until you have opened both links.`,
          action: settings('email', 'View Email Address'),
          at: change.at,
        },

  'domain-limit': ({ domains: { count, at }, domainLimit, overLimit, nextPlan, createdAt }) =>
    count < domainLimit || overLimit.count > 0 || domainLimit === 0
      ? undefined
      : {
          severity: 'info',
          title: `You use all ${domainLimit} domains of your plan`,
          text:
            nextPlan === null
              ? 'To add another domain, delete one.'
              : `To add another domain, delete one or choose a larger plan. ${planText(nextPlan)}`,
          action: nextPlan === null ? DOMAINS : PLANS,
          at: at ?? createdAt,
        },

  'terms-changed': ({ termsVersion }) =>
    termsVersion === null || termsVersion >= TERMS_VERSION
      ? undefined
      : {
          severity: 'info',
          title: 'The Terms of Service have changed',
          text: `You accepted the version of ${termsVersion}. The current version is of ${TERMS_VERSION}.`,
          action: { label: 'Read the Terms', url: '/terms' },
          at: `${TERMS_VERSION}T00:00:00Z`,
        },

  'first-steps': ({ firstSteps: steps, createdAt }) => firstSteps(steps, createdAt),

  'free-plan': ({ plan, nextPlan, createdAt }) =>
    plan !== 'free' || nextPlan === null
      ? undefined
      : {
          severity: 'info',
          title: `Upgrade to ${PLAN_NAMES[nextPlan.id] ?? nextPlan.id}`,
          text: planText(nextPlan),
          action: PLANS,
          at: createdAt,
        },
}

const quoted = (names: readonly string[] | null) => names?.map((name) => `“${name}”`) ?? null

const planText = ({
  id,
  domainLimit,
  ttl,
  monthCents,
  currency,
}: NonNullable<NoticeFacts['nextPlan']>) =>
  `${PLAN_NAMES[id] ?? id} includes ${domainLimit} domains with a TTL of ${span(ttl)}, for ${money(monthCents, currency)} per month.`

/** Notices about what the plan includes. They are shown again when the account gets another plan. */
export const PLAN_NOTICES: readonly NoticeKind[] = ['keys-not-in-plan', 'domain-limit', 'free-plan']

/** All notices of an account, the most important first. */
export function noticesOf(facts: NoticeFacts): AccountNotice[] {
  return NOTICE_KINDS.flatMap((kind) => {
    const written = WRITERS[kind](facts)
    if (written === undefined || written.at === null) return []
    const { at, ...notice } = written
    return [{ ...notice, kind, occurredAt: new Date(at) }]
  })
}
