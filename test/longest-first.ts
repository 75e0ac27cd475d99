/**
 * The order in which the files of a project start. A long file that starts last keeps one worker busy while the others
 * are idle. Without results of an earlier run, vitest estimates by file size, but the longest tests are in small files.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest, the longest first. Others follow in vitest's order. */
export const LONGEST: readonly string[] = [
  'e2e/payment-screens.test.ts',
  'e2e/payments.test.ts',
  'e2e/outage.test.ts',
  'e2e/storm.test.ts',
  'e2e/conformance.test.ts',
  'e2e/vanity.test.ts',
  'e2e/zones-screens.test.ts',
  'e2e/accounts.test.ts',
  'e2e/analytics-screens.test.ts',
  'e2e/records-screens.test.ts',
  'e2e/settings.test.ts',
  'e2e/admin.test.ts',
  'e2e/monitor-screens.test.ts',
  'e2e/records-guide.test.ts',
  'e2e/keyboard.test.ts',
  'e2e/stack.test.ts',
  'e2e/secondaries.test.ts',
  'e2e/dashboard.test.ts',
  'e2e/monitor-network.test.ts',
  'e2e/monitoring-guide.test.ts',
  'e2e/forward-screens.test.ts',
  'e2e/terminal.test.ts',
  'e2e/security-mails.test.ts',
  'e2e/dashboard-sign-in.test.ts',
  'e2e/dashboard-access.test.ts',
  'e2e/admin-access.test.ts',
  'e2e/analytics.test.ts',
  'e2e/admin-door.test.ts',
  'e2e/site.test.ts',
  'e2e/dashboard-list.test.ts',
  'e2e/operators-guide.test.ts',
  'e2e/clients.test.ts',
  'e2e/analytics-guide.test.ts',
  'e2e/default-limits.test.ts',
  'e2e/web-forwards.test.ts',
  'e2e/admin-forwards.test.ts',
  'e2e/admin-payments.test.ts',
  'e2e/web-forwarding-guide.test.ts',
  'e2e/dashboard-live.test.ts',
  'e2e/passkeys.test.ts',
  'api/src/payments/storm.test.ts',
  'api/test/contract/hostile-input.test.ts',
  'api/test/contract/route-matrix.test.ts',
  'api/test/contract/hostile-headers.test.ts',
  'api/src/monitoring/monitoring.test.ts',
  'api/src/delegation/check.test.ts',
  'api/test/feed/feed-order.test.ts',
  'api/src/feed/partitions.test.ts',
  'api/test/contract/bad-parameters.test.ts',
  'api/test/feed/zone-import-at-once.test.ts',
  'api/src/database/silence.test.ts',
  'api/src/features/stream/live-queries.test.ts',
  'api/src/features/stream/stream-end.test.ts',
  'api/test/contract/mass-assignment.test.ts',
  'api/test/contract/bad-input.test.ts',
  'api/test/schema/migrate.test.ts',
  'api/src/features/stream/stream.test.ts',
  'api/src/jobs/jobs.test.ts',
  'api/src/integrations/outgoing-http/hostile-servers.test.ts',
  'api/src/features/payments/payments.test.ts',
  'api/test/contract/races.test.ts',
  'api/src/features/api-keys/key-scope.test.ts',
  'api/scripts/migrate.test.ts',
  'api/src/provisioning/own-zones.test.ts',
  'api/scripts/scripts.test.ts',
  'api/src/stack/new-cluster.test.ts',
  'api/src/plugins/call-limits.test.ts',
  'api/scripts/check-names.test.ts',
  'api/src/payments/paypal-journey.test.ts',
  'dnsd/test/server/worker-deaths.test.ts',
  'dnsd/test/fuzz/fuzz.test.ts',
  'dnsd/test/server/worker-pool.test.ts',
  'dnsd/test/server/hot-path.test.ts',
  'dnsd/src/names/domain-label.test.ts',
  'dnsd/test/store/outages.test.ts',
  'dnsd/test/store/process.test.ts',
  'dnsd/test/store/kill.test.ts',
  'dnsd/test/store/postgres-away.test.ts',
  'dnsd/test/store/lost-log-daemon.test.ts',
  'dnsd/test/store/crash.test.ts',
  'dnsd/test/store/follower.test.ts',
  'dnsd/test/store/damaged-disk.test.ts',
  'dnsd/test/store/question-ledger.test.ts',
  'dashboard/src/bad-days.test.tsx',
  'dashboard/src/api/live/live.test.tsx',
  'dashboard/src/screens/dashboard/add-domain/AddDomainDialog.test.tsx',
  'dashboard/src/screens/settings/bad-days.test.tsx',
  'dashboard/src/screens/dashboard/how-to-update/HowToUpdateDialog.test.tsx',
  'dashboard/src/screens/records/RecordsPanel.test.tsx',
  'dashboard/src/screens/domain/monitor/MonitorTab.test.tsx',
  'dashboard/src/screens/dns-queries/QueriesScreen.test.tsx',
  'dashboard/src/screens/settings/SettingsScreen.test.tsx',
  'dashboard/src/autofill.test.tsx',
  'dashboard/src/screens/payment/PaymentScreen.test.tsx',
  'dashboard/src/screens/register/RegisterScreen.test.tsx',
  'admin/src/resources/web-forwards/WebForwardList.test.tsx',
  'admin/src/access/access.test.tsx',
  'admin/src/resources/monitors/MonitorList.test.tsx',
  'cli/test/terminal.test.ts',
  'cli/test/proxy.test.ts',
  'cli/test/plan.test.ts',
  'cli/test/open.test.ts',
  'cli/test/launcher.test.ts',
  'cli/test/records-terminal.test.ts',
]

function rankOf(file: string): number {
  const rank = LONGEST.findIndex((each) => file.endsWith(`/${each}`))
  return rank === -1 ? LONGEST.length : rank
}

/** The files in the order of their projects, and within a project the longest first. */
export function longestFirst<File extends { moduleId: string; project: { name: string } }>(
  files: readonly File[],
): File[] {
  const byProject = Map.groupBy(files, ({ project }) => project.name)
  return [...byProject.values()].flatMap((its) =>
    its.toSorted((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId)),
  )
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return longestFirst(await super.sort(files))
  }
}
