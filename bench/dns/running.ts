/** The servers of a section. All of them start before the first measurement. */
import type { BenchZone, Contender, RunningServer } from '../support/dns-contender.ts'
import { print } from '../support/report.ts'

/** The default number of hosts in the zone. */
export const NAMES = 100_000

/** Starts the installed servers one after another, so that they do not slow each other down, and lists the missing ones. */
export async function startAll(
  contenders: readonly Contender[],
  zone: BenchZone,
  ends: AsyncDisposableStack,
): Promise<RunningServer[]> {
  const running: RunningServer[] = []
  for (const contender of contenders) {
    const missing = contender.missing()
    if (missing !== undefined) {
      print(`  missing ${contender.name}: needs ${missing}`)
      continue
    }
    const server = await contender.start(zone)
    ends.defer(() => server.stop())
    running.push(server)
  }
  return running
}
