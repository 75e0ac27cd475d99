/**
 * The name servers of a DNS tree, in one process of a network namespace. Each line on stdin is the state of all servers
 * from now on, as JSON. It answers `ready` on stdout when it is in effect.
 */
import { createInterface } from 'node:readline'
import { startDnsServer } from '../../../test/dns-tree/dns-server.ts'
import { answerFrom, type Zones } from '../../../test/dns-tree/zone-answers.ts'

/** What a server does: its zones, or silence. */
export interface ServerState {
  readonly zones: Zones
  readonly isDead: boolean
}

/** By address. */
export type TreeState = Readonly<Record<string, ServerState>>

const DNS_PORT = 53
const started = new Set<string>()
let state: TreeState = {}

for await (const line of createInterface(process.stdin)) {
  state = JSON.parse(line) as TreeState
  for (const address of Object.keys(state)) {
    if (started.has(address)) continue
    started.add(address)
    await startDnsServer(address, DNS_PORT, (query) => {
      const server = state[address]
      return server === undefined || server.isDead ? undefined : answerFrom(server.zones, query)
    })
  }
  process.stdout.write('ready\n')
}
process.exit(0)
