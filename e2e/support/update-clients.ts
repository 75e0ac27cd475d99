/** Debian's ddclient and inadyn with the configuration files that users download, and what each concluded from a response. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { type DeviceSetup, deviceOf, fillIn } from '@homing/openapi/devices'

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
  /** The address that the client detects as its own; without it, the client asks the service. */
  readonly address?: string
  /** Sends both families. */
  readonly isDual?: boolean
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

/** The configuration file of a program for domains with the same credentials. @param names in the program's spelling of a list */
function downloaded(
  program: 'ddclient' | 'inadyn',
  { server, isDual = false }: ClientSetup,
  { names, secret }: { readonly names: string; readonly secret: string },
): string {
  const device = deviceOf(program)
  const setup: DeviceSetup | undefined = isDual ? device?.dualSetup : device?.setup
  const [file] = setup?.files ?? []
  if (file === undefined) throw new Error(`The table of devices has no file for ${program}.`)
  return fillIn(file.content, { origin: `http://${server}`, fqdn: names, token: secret })
}

const ddclient = {
  configuration(setup: ClientSetup): string {
    const { hosts, address, settings } = setup
    const own = settings ?? (address !== undefined && `use=ip, ip=${address}`)
    return sections(hosts)
      .map((group) => {
        const [{ login, secret } = { login: '', secret: '' }] = group
        const names = group.map(({ name }) => name).join(',')
        const file = downloaded('ddclient', setup, { names, secret })
        const ofUser = file.replace(/^login=.*$/m, `login=${login}`)
        return own === false ? ofUser : ofUser.replace(/^use=.*$/m, own)
      })
      .join('')
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
  configuration(setup: ClientSetup): string {
    const { hosts, address, settings } = setup
    const own = sections(hosts).map((group, n) => {
      const [{ login, secret } = { login: '', secret: '' }] = group
      const list = group.map(({ name }) => name).join(', ')
      const names = group.length === 1 ? list : `{ ${list} }`
      const file = downloaded('inadyn', setup, { names, secret })
        .replaceAll(/username .*/g, `username = "${login}"`)
        .replace('custom homing {', `custom homing:${n + 1} {`)
      if (address === undefined) return file
      const command = `    checkip-command = "/bin/echo ${address}"\n`
      return file.replace(/ *checkip-server[^}]*/, command)
    })
    // The addresses of the test are not Internet addresses.
    return `allow-ipv6 = true\nverify-address = false\n${settings ?? ''}\n${own.join('')}`
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
