/** Knot DNS as an authoritative server for master files. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Namespace } from './namespaces.ts'
import { eventually } from './stack.ts'

export interface KnotOptions {
  readonly namespace: Namespace
  /** Holds its configuration and runtime files. Created if it does not exist. */
  readonly folder: string
  /** It answers on port 53 of these. */
  readonly addresses: readonly string[]
  /** Zone name without the final dot → text of its master file. */
  readonly zones: Readonly<Record<string, string>>
}

export interface Knot {
  stop(): Promise<void>
}

function configuration({ folder, addresses, zones }: KnotOptions): string {
  const zoneLines = Object.keys(zones).map(
    (name) => `  - domain: "${name}."\n    file: "${masterFile(folder, name)}"`,
  )
  return `server:
    rundir: "${folder}"
    listen: [ ${addresses.map((address) => `${address}@53`).join(', ')} ]
    udp-workers: 1
    tcp-workers: 1
    background-workers: 1
    identity: ""
    version: ""
database:
    storage: "${folder}"
log:
  - target: stderr
    any: warning
template:
  - id: default
    zonefile-sync: -1
    journal-content: none
zone:
${zoneLines.join('\n')}
`
}

const masterFile = (folder: string, name: string) => join(folder, `${name || 'root'}.zone`)

/** Starts it and waits until it answers for each zone. */
export async function startKnot(options: KnotOptions): Promise<Knot> {
  const { namespace, folder, addresses, zones } = options
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(zones)) writeFileSync(masterFile(folder, name), text)
  const file = join(folder, 'knot.conf')
  writeFileSync(file, configuration(options))
  const [program, words] = namespace.within('knotd', '--config', file)
  const server: ChildProcess = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [address = ''] = addresses
  for (const name of Object.keys(zones)) {
    await eventually(
      () => namespace.run('dig', `@${address}`, '+time=1', '+tries=1', `${name}.`, 'SOA'),
      (answer) => /status: NOERROR.*flags: qr aa/s.test(answer),
    )
  }
  return {
    async stop() {
      if (server.exitCode !== null) return
      const gone = once(server, 'exit')
      server.kill('SIGTERM')
      await gone
    },
  }
}
