/** The contract: every operation, by slice. The api implements this table; a missing handler does not compile. */
import type { Slice } from '../operation.ts'
import { accountExport } from './account-export.ts'
import { account } from './account.ts'
import { adminDomains } from './admin-domains.ts'
import { adminPayments } from './admin-payments.ts'
import { adminPlans } from './admin-plans.ts'
import { adminQueries } from './admin-queries.ts'
import { adminUptime } from './admin-uptime.ts'
import { adminUsers } from './admin-users.ts'
import { adminWebForwards } from './admin-web-forwards.ts'
import { apiKeys } from './api-keys.ts'
import { auth } from './auth.ts'
import { captcha } from './captcha.ts'
import { dnsAnalytics } from './dns-analytics.ts'
import { deletedDomains } from './deleted-domains.ts'
import { domainHistory } from './domain-history.ts'
import { domainBatches } from './domain-batches.ts'
import { domains } from './domains.ts'
import { dyndns } from './dyndns.ts'
import { blockedTargets } from './blocked-targets.ts'
import { lockedNames } from './locked-names.ts'
import { taxRates } from './tax-rates.ts'
import { notices } from './notices.ts'
import { ownZones } from './own-zones.ts'
import { passkeys } from './passkeys.ts'
import { payments } from './payments.ts'
import { plans } from './plans.ts'
import { propagation } from './propagation.ts'
import { records } from './records.ts'
import { stream } from './stream.ts'
import { system } from './system.ts'
import { trustPolicies } from './trust-policies.ts'
import { twoFactor } from './two-factor.ts'
import { updateCalls } from './update-calls.ts'
import { updateTokens } from './update-tokens.ts'
import { uptime } from './uptime.ts'
import { webForwards } from './web-forwards.ts'
import { zoneHistory } from './zone-history.ts'
import { zones } from './zones.ts'

export const operations = {
  system,
  auth,
  captcha,
  account,
  notices,
  'account-export': accountExport,
  'two-factor': twoFactor,
  zones,
  domains,
  'own-zones': ownZones,
  records,
  'zone-history': zoneHistory,
  'domain-history': domainHistory,
  'deleted-domains': deletedDomains,
  'domain-batches': domainBatches,
  dyndns,
  'update-tokens': updateTokens,
  'update-calls': updateCalls,
  propagation,
  'web-forwards': webForwards,
  uptime,
  'dns-analytics': dnsAnalytics,
  stream,
  'api-keys': apiKeys,
  passkeys,
  'trust-policies': trustPolicies,
  plans,
  payments,
  'admin-users': adminUsers,
  'admin-domains': adminDomains,
  'admin-web-forwards': adminWebForwards,
  'admin-uptime': adminUptime,
  'admin-queries': adminQueries,
  'admin-payments': adminPayments,
  'tax-rates': taxRates,
  'blocked-targets': blockedTargets,
  'locked-names': lockedNames,
  'admin-plans': adminPlans,
} as const satisfies Record<string, Slice>

export type Operations = typeof operations
export type SliceName = keyof Operations
