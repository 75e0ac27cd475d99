/** The parts of an own zone that commands print below one another. */
import { factListing, parentListing } from './delegation-facts.ts'
import { type Fact, facts, isTerminal, listed, titled } from './output.ts'
import { glueListing, type OwnZone, taskListing } from './own-zones.ts'

interface Shown {
  /** What is said about the zone first. */
  readonly about: readonly Fact[]
  /** Also the response of each parent name server. */
  readonly isVerbose: boolean
}

/** Facts, name servers, proofs that count, and what the last check found. */
export async function zoneText(zone: OwnZone, { about, isVerbose }: Shown): Promise<string> {
  const { nameservers, tasks, last_check } = zone
  const check = last_check ?? { facts: [], parent_servers: [] }
  const lists = [
    ['NAME SERVER', await listed(nameservers, glueListing)],
    ['TASK', await listed(tasks, taskListing)],
    ['FACT', await listed(check.facts, factListing)],
    ['PARENT SERVER', isVerbose ? await listed(check.parent_servers, parentListing) : ''],
  ] as const
  const shown = lists.map(([title, text]) => (isTerminal() ? titled(title, text) : text))
  const parts = [about.length > 0 ? facts(about) : '', ...shown]
  return parts.filter((part) => part !== '').join(isTerminal() ? '\n\n' : '\n')
}
