/** NSD, Knot and BIND as secondaries, configured with the blocks of the operators' guide. */
import { ask } from '@homing/dnsd/client'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { guideBlock as blockOf } from './guide.ts'
import { eventually } from './stack.ts'

/** The hosts of the guide by the last octets of their addresses; the tests use loopback addresses. */
const HOSTS = { primary: 1, nsd: 53, knot: 54, bind: 55 } as const
export type SecondaryName = Exclude<keyof typeof HOSTS, 'primary'>

/** The source address of its requests. */
export const addressOf = (host: keyof typeof HOSTS) => `127.0.0.${HOSTS[host]}`

/** The test's ports, zones and folder for the guide's hosts. */
export interface Layout {
  readonly ports: Readonly<Record<keyof typeof HOSTS, number>>
  readonly zone: string
  readonly catalog: string
  /** The folder for the programs' files. */
  readonly folder: string
}

/** A block of the guide, with the test's addresses, ports, zones and folders. */
export function guideBlock(name: string, { ports, zone, catalog, folder }: Layout): string {
  const portOf = (octet: string) =>
    Object.entries(HOSTS).find(([, own]) => own === Number(octet))?.[0] as keyof typeof HOSTS
  return blockOf('secondaries.md', name)
    .replaceAll(
      /192\.0\.2\.(\d+)(@| port |, port: )53\b/g,
      (_all, octet: string, between: string) => `127.0.0.${octet}${between}${ports[portOf(octet)]}`,
    )
    .replaceAll('port 53 { 192.0.2.55; }', `port ${ports.bind} { 127.0.0.1; }`)
    .replaceAll('address: 127.0.0.55', 'address: 127.0.0.1')
    .replaceAll('192.0.2.', '127.0.0.')
    .replaceAll(/\/var\/(?:lib|cache)\/(\w+)/g, (_all, program: string) => join(folder, program))
    .replaceAll('home.example', zone)
    .replaceAll('catalog.example', catalog)
}

/** The secret of the guide's key. */
export const GUIDE_SECRET =
  /secret: "([^"]+)"/.exec(blockOf('secondaries.md', 'dns.yaml'))?.[1] ?? ''

/** The additional settings of each program to run in a test and to be compared. */
const PROGRAMS: Readonly<
  Record<
    SecondaryName,
    {
      block: string
      command: (folder: string) => readonly [string, ...string[]]
      adapt: (text: string, folder: string) => string
    }
  >
> = {
  nsd: {
    block: 'nsd.conf',
    command: (folder) => ['nsd', '-d', '-c', join(folder, 'nsd.conf')],
    // The last section of the block is that of the zone.
    adapt: (text, folder) => `${text}    provide-xfr: 127.0.0.0/8 NOKEY

server:
    username: ""
    chroot: ""
    server-count: 1
    database: ""
    pidfile: "${folder}/nsd/nsd.pid"
    xfrdfile: "${folder}/nsd/xfrd.state"
    xfrdir: "${folder}/nsd"
    zonelistfile: "${folder}/nsd/zone.list"
    verbosity: 2
remote-control:
    control-enable: no
`,
  },
  knot: {
    block: 'knot.conf',
    command: (folder) => ['knotd', '-c', join(folder, 'knot.conf')],
    adapt: (text, folder) => `acl:
  - id: from-test
    address: 127.0.0.0/8
    action: transfer
${text.replaceAll('acl: from-primary', 'acl: [from-primary, from-test]').replace(/^server:$/m, `server:\n    rundir: "${folder}/knot"\n    udp-workers: 1\n    tcp-workers: 1\n    background-workers: 2`)}
log:
  - target: stderr
    any: info
`,
  },
  bind: {
    block: 'named.conf',
    command: (folder) => ['named', '-g', '-n', '1', '-c', join(folder, 'named.conf')],
    adapt: (text, folder) =>
      `controls { };\n${text
        .replace('allow-transfer { none; }', 'allow-transfer { 127.0.0.0/8; }')
        .replace('min-update-interval 5', 'min-update-interval 1')
        .replace(
          'options {',
          `options {\n    pid-file "${folder}/bind/named.pid";\n    session-keyfile "${folder}/bind/session.key";\n    managed-keys-directory "${folder}/bind";\n    dnssec-validation no;`,
        )}`,
  },
}

/** A running secondary. */
export interface RunningSecondary {
  readonly name: SecondaryName
  /** The address at which it answers. */
  readonly address: string
  readonly port: number
  /** Its log so far. */
  readonly log: () => string
  stop(): Promise<void>
}

/** Starts it and waits until it answers. */
export async function startSecondary(
  name: SecondaryName,
  layout: Layout,
): Promise<RunningSecondary> {
  const { folder, ports } = layout
  const { block, command, adapt } = PROGRAMS[name]
  mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, block), adapt(guideBlock(block, layout), folder))
  const [program, ...words] = command(folder)
  const child: ChildProcess = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (log += text))
  }
  const ended = once(child, 'exit')
  const running: RunningSecondary = {
    name,
    // BIND listens only at addresses of an interface, and loopback has one.
    address: name === 'bind' ? '127.0.0.1' : addressOf(name),
    port: ports[name],
    log: () => log,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
  const answers = async () => {
    if (child.exitCode !== null) return `ended with ${child.exitCode}`
    return dig(running, 'version.server', 'CH', 'TXT')
  }
  try {
    await eventually(answers, (answer) => answer.includes('status:'))
  } catch (error) {
    child.kill('SIGKILL')
    throw new Error(`${name} does not answer:\n${log}`, { cause: error })
  }
  return running
}

const runFile = promisify(execFile)

/** The output of dig, also when the query fails. */
export async function dig(
  { address, port }: { readonly address: string; readonly port: number },
  ...words: readonly string[]
): Promise<string> {
  const args = [`@${address}`, '-p', String(port), '+time=2', '+tries=1', ...words]
  const { stdout } = await runFile('dig', args, { maxBuffer: 64 * 1024 * 1024 }).catch(
    (error: { stdout: string }) => error,
  )
  return stdout
}

/** The SOA serial of a zone at a server; undefined if the server does not have the zone. */
export async function serialAt(
  server: { readonly address: string; readonly port: number },
  zone: string,
): Promise<number | undefined> {
  // Asked many times, so without a process for each question.
  const { answers } = await ask({ name: zone, type: 'SOA' }, [server], { tries: 1 })
  return answers.find((answer) => answer.type === 'SOA')?.data.serial
}

/** A zone transferred from a server: its records as sorted lines without duplicates. @throws Error when the transfer fails */
export async function transferred(
  server: { readonly address: string; readonly port: number },
  zone: string,
  ...words: readonly string[]
): Promise<string[]> {
  const text = await dig(
    server,
    '+onesoa',
    '+nocomments',
    '+nocmd',
    '+nostats',
    zone,
    'AXFR',
    ...words,
  )
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith(';'))
  if (lines.length === 0) throw new Error(`no transfer of ${zone} from ${server.address}:\n${text}`)
  return lines
    .filter((line) => !/\sTSIG\s/.test(line))
    .map((line) => line.replaceAll(/\s+/g, ' '))
    .toSorted((a, b) => (a < b ? -1 : 1))
}
