/** Unbound as a resolver, with its strictest settings. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Namespace } from './namespaces.ts'
import { eventually } from './stack.ts'

export interface UnboundOptions {
  readonly namespace: Namespace
  /** Holds its configuration, root hints and control socket. Created if it does not exist. */
  readonly folder: string
  /** Master file lines of the root's name servers. */
  readonly rootHints: string
  /** A reserved top-level domain such as `test.`, which Unbound would otherwise not resolve. */
  readonly topLevel: string
}

export interface Unbound {
  /** Its address in its namespace. */
  readonly address: string
  /** Its log so far. */
  readonly log: () => string
  /** Its counters so far, by name. */
  counters(): Promise<Readonly<Record<string, number>>>
  /** Empties its caches, also of name servers that did not answer. */
  flush(): Promise<void>
  stop(): Promise<void>
}

const ADDRESS = '127.0.0.1'

function configuration({ folder, topLevel }: UnboundOptions): string {
  return `server:
    # At less it says nothing of the letters of an answer, whose case it compares.
    verbosity: 4
    interface: ${ADDRESS}
    username: ""
    chroot: ""
    pidfile: ""
    directory: "${folder}"
    use-syslog: no
    logfile: ""
    num-threads: 1
    extended-statistics: yes
    root-hints: "root.hints"
    local-zone: "${topLevel}." nodefault
    # Nothing is signed here.
    module-config: "iterator"
    use-caps-for-id: yes
    qname-minimisation: yes
    qname-minimisation-strict: yes
    harden-referral-path: yes
    harden-large-queries: yes
    edns-buffer-size: 1232
remote-control:
    control-enable: yes
    control-interface: "${folder}/control.sock"
    control-use-cert: no
`
}

/** Starts it and waits until it answers for the root. */
export async function startUnbound(options: UnboundOptions): Promise<Unbound> {
  const { namespace, folder, rootHints } = options
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'root.hints'), rootHints)
  const file = join(folder, 'unbound.conf')
  writeFileSync(file, configuration(options))
  const [program, words] = namespace.within('unbound', '-d', '-c', file)
  const resolver: ChildProcess = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'] })
  let logged = ''
  resolver.stderr?.setEncoding('utf8').on('data', (text: string) => (logged += text))
  await eventually(
    () => namespace.run('dig', `@${ADDRESS}`, '+time=1', '+tries=1', '.', 'NS'),
    (answer) => /status: NOERROR.*\sIN\s+NS\s/s.test(answer),
  )
  return {
    address: ADDRESS,
    log: () => logged,
    async counters() {
      const text = await namespace.run('unbound-control', '-c', file, 'stats_noreset')
      const pairs = [...text.matchAll(/^([\w.]+)=([\d.]+)$/gm)]
      return Object.fromEntries(pairs.map(([, name = '', count]) => [name, Number(count)]))
    },
    async flush() {
      for (const words of [
        ['flush_zone', '.'],
        ['flush_infra', 'all'],
      ]) {
        await namespace.run('unbound-control', '-c', file, ...words)
      }
    },
    async stop() {
      if (resolver.exitCode !== null) return
      const gone = once(resolver, 'exit')
      resolver.kill('SIGTERM')
      await gone
    },
  }
}
