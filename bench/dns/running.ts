/** The servers of a section, all started before the first is measured. */
import type { BenchZone, Contender, RunningServer } from '../support/dns-contender.ts'
import { print } from '../support/report.ts'

/** Hosts of the zone where nothing else is asked for. */
export const NAMES = 100_000

/** Starts those that are installed, one after another so that none slows another's start, and names those that are not. */
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
