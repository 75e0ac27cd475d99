/** What `npm start` prints when everything answers: the addresses, and three commands to try. */
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SupervisorConfig } from '../config/supervisor.ts'
import { mailboxFolder } from '../integrations/mailbox.ts'
import type { FirstAdministrator } from '../provisioning/first-administrator.ts'
import { adminPasswordFile } from '../provisioning/provision.ts'
import { dnsTarget, httpUrl } from './readiness.ts'

/**
 * Documentation addresses if any address is allowed; if only public ones are, those of two public resolvers.
 */
const ADDRESSES = {
  any: ['192.0.2.10', '192.0.2.20'],
  public: ['9.9.9.9', '1.1.1.1'],
} as const

export interface WelcomeOptions {
  readonly config: SupervisorConfig
  readonly administrator: FirstAdministrator
  /** The label of the name that the commands register; it is free. */
  readonly label: string
  /** The folder in which the commands will be run. */
  readonly root: string
  readonly isInstalled: (program: string) => boolean
}

/** A word for a POSIX shell, quoted when it needs to be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll(`'`, `'\\''`)}'`
}

function pathFrom(root: string, path: string): string {
  const below = relative(root, path)
  return below.startsWith('..') ? path : below
}

/** Three commands: register a name, update it as a router would, query DNS for it. */
export function tryOutCommands(options: WelcomeOptions): [string, string, string] {
  const { config, administrator, label, root, isInstalled } = options
  const [zone = ''] = config.zones
  const name = `${label}.${zone}`
  const [first, second] = ADDRESSES[config.addressPolicy]
  const server = httpUrl(config.host, config.port)
  const passwordFile = shellWord(pathFrom(root, adminPasswordFile(config)))
  const account = `--server ${server} --username ${administrator.username} --password-file ${passwordFile}`
  const { address, port } = dnsTarget(config)

  const add = `npx homing domains add ${name} --ip ${first} ${account}`
  const update = isInstalled('curl')
    ? `curl -fsS -u "${administrator.username}:$(cat ${passwordFile})" "${server}/nic/update?hostname=${name}&myip=${second}"`
    : `npx homing update ${name} --ip ${second} ${account}`
  const dnsServer = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
  const ask = isInstalled('dig')
    ? `dig @${address} -p ${port} ${name} A +short`
    : `npx homing resolve ${name} --type A --nameserver ${dnsServer}`
  return [add, update, ask]
}

/** The local mailbox for unsent mail. Its page requires local access, so it is served only if the API listens on loopback. */
function mailPlace({ config, root }: WelcomeOptions): string {
  const { hostname, origin } = new URL(httpUrl(config.host, config.port))
  const isNear = ['localhost', '[::1]'].includes(hostname) || hostname.startsWith('127.')
  return isNear ? `${origin}/dev/mailbox` : pathFrom(root, mailboxFolder(config))
}

/** The lines for stdout; `ready` is the last one. */
export function welcomeLines(options: WelcomeOptions): string[] {
  const { config, administrator, root } = options
  const { address, port } = dnsTarget(config)
  const passwordFile = pathFrom(root, adminPasswordFile(config))
  const site = config.publicUrl.origin
  const mailbox = config.smtpUrl === undefined ? [`Mail            ${mailPlace(options)}`] : []
  return [
    `${config.productName.padEnd(15)} ${site}`,
    `API             ${site}/api/docs`,
    ...mailbox,
    `DNS             ${address} port ${port}, UDP and TCP`,
    `Web forwarding  ${httpUrl(config.forwardHost, config.forwardPort)}`,
    `Administrator   ${administrator.username}, password in ${passwordFile}`,
    '',
    'Register a domain, update it as a router does, query DNS for it:',
    '',
    ...tryOutCommands(options),
    '',
    'ready',
  ]
}

const LABEL_CHARACTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A label that is free: 40 random bits that can be read aloud. */
function freshLabel(): string {
  const random = Array.from(
    { length: 8 },
    () => LABEL_CHARACTERS[randomInt(LABEL_CHARACTERS.length)],
  )
  return `try-${random.join('')}`
}

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0
}

/** Prints the welcome on stdout. A random password is shown once, on stderr, because scripts store stdout. */
export function printWelcome(config: SupervisorConfig, administrator: FirstAdministrator): void {
  if (administrator.newPassword !== undefined) {
    const { username, newPassword } = administrator
    process.stderr.write(`The first administrator is ${username} with password ${newPassword}\n`)
  }
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  const lines = welcomeLines({ config, administrator, label: freshLabel(), root, isInstalled })
  process.stdout.write(`${lines.join('\n')}\n`)
}
