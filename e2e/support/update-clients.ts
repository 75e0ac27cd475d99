/** Debian's ddclient and inadyn, configured as users configure them, and what each concluded from a response. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'

/** A user's settings for one domain. */
export interface ConfiguredHost {
  readonly name: string
  readonly login: string
  readonly secret: string
}

export interface ClientSetup {
  /** `127.0.0.1:port`, without TLS. */
  readonly server: string
  /** Domains with the same credentials share a section, and with ddclient a request. */
  readonly hosts: readonly ConfiguredHost[]
  /** The address that the client detects as its own. */
  readonly address: string
  /** Global lines of the configuration. */
  readonly settings?: string
}

export interface Conclusion {
  readonly exitCode: number | null
  /** Its messages to the user. */
  readonly log: string
  /** The address of a domain in its cache; undefined if the cache has none. */
  believes(name: string): string | undefined
}

export interface UpdateClientProgram {
  readonly name: 'ddclient' | 'inadyn'
  /** Configures the client. Its runs share a cache, as on a real machine. */
  install(setup: ClientSetup): InstalledClient
}

export interface InstalledClient {
  /** Runs it once. @param force also sends an unchanged address */
  run(options?: { readonly force?: boolean }): Promise<Conclusion>
  remove(): void
}

async function runProgram(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: 30_000 })
  const [[exitCode], out, err] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stdout),
    text(child.stderr),
  ])
  return { exitCode, log: out + err }
}

/** Hosts by their credentials. */
function sections(hosts: readonly ConfiguredHost[]): ConfiguredHost[][] {
  const groups = Map.groupBy(hosts, ({ login, secret }) => `${login}:${secret}`)
  return [...groups.values()]
}

const contentOf = (file: string) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function installed(
  program: string,
  use: {
    configuration: (setup: ClientSetup) => string
    args: (folder: string, force: boolean) => readonly string[]
    believes: (folder: string, name: string) => string | undefined
  },
  setup: ClientSetup,
): InstalledClient {
  const folder = mkdtempSync(join(tmpdir(), `homing-${program}-`))
  // ddclient complains about a file that others could read.
  writeFileSync(join(folder, 'conf'), use.configuration(setup), { mode: 0o600 })
  return {
    async run({ force = false } = {}) {
      const { exitCode, log } = await runProgram(program, use.args(folder, force))
      return { exitCode, log, believes: (name) => use.believes(folder, name) }
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

const ddclient = {
  configuration({ server, hosts, address, settings }: ClientSetup): string {
    const own = sections(hosts).map((group) => {
      const [{ login, secret } = { login: '', secret: '' }] = group
      const names = group.map(({ name }) => name).join(',')
      return `protocol=dyndns2, server=${server}, login=${login}, password='${secret}' \\\n${names}\n`
    })
    return `ssl=no\n${settings ?? `use=ip, ip=${address}`}\n${own.join('')}`
  },
  args: (folder: string, force: boolean) => [
    '-daemon=0',
    '-noquiet',
    '-verbose',
    `-file=${join(folder, 'conf')}`,
    `-cache=${join(folder, 'cache')}`,
    ...(force ? ['-force'] : []),
  ],
  /** A line of its cache: `…,ip=192.0.2.1,mtime=1700000000,…,status=good,… name`. */
  believes(folder: string, name: string): string | undefined {
    const lines = contentOf(join(folder, 'cache')).split('\n')
    const line = lines.find((each) => each.endsWith(` ${name}`)) ?? ''
    const field = (key: string) => new RegExp(`(?:^|,)${key}=([^, ]*)`).exec(line)?.[1]
    return field('status') === 'good' && field('mtime') !== '0' ? field('ip') : undefined
  },
}

const inadyn = {
  configuration({ server, hosts, address, settings }: ClientSetup): string {
    const own = sections(hosts).map((group, n) => {
      const [{ login, secret } = { login: '', secret: '' }] = group
      const names = group.map(({ name }) => name).join(', ')
      return `custom homing:${n + 1} {
    username        = "${login}"
    password        = "${secret}"
    ddns-server     = ${server}
    ddns-path       = "/nic/update?hostname=%h&myip=%i"
    hostname        = { ${names} }
    ssl             = false
    checkip-command = "/bin/echo ${address}"
}
`
    })
    return `allow-ipv6 = true\n${settings ?? ''}\n${own.join('')}`
  },
  args: (folder: string, force: boolean) => [
    '--once',
    '--foreground',
    '--no-pidfile',
    '--loglevel=info',
    `--config=${join(folder, 'conf')}`,
    `--cache-dir=${folder}`,
    ...(force ? ['--force'] : []),
  ],
  believes: (folder: string, name: string) =>
    contentOf(join(folder, `${name}.cache`)).trim() || undefined,
}

export const DDCLIENT: UpdateClientProgram = {
  name: 'ddclient',
  install: (setup) => installed('ddclient', ddclient, setup),
}
export const INADYN: UpdateClientProgram = {
  name: 'inadyn',
  install: (setup) => installed('inadyn', inadyn, setup),
}
