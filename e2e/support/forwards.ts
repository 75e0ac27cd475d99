/** Web forwards in tests: their targets, their creation, and their visitors. */
import type { components } from '@homing/openapi/client'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { type Account, addNames, signInAdministrator } from './accounts.ts'
import type { Service } from './stack.ts'

const runFile = promisify(execFile)

export type SavedWebForward = components['schemas']['SavedWebForward']
type NewWebForward = components['schemas']['NewWebForward']

/** A web server that forwards lead to. */
export interface Target {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  stop(): Promise<void>
}

/** Answers with the method and the URL of the request. Refuses frames below `/unframed`. */
const echo: RequestListener = ({ method = '', url = '' }, response) => {
  if (url.startsWith('/unframed')) response.setHeader('x-frame-options', 'DENY')
  response.setHeader('connection', 'close')
  response.end(`${method} ${url}`)
}

export async function startTarget(listener: RequestListener = echo): Promise<Target> {
  const server: Server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Gives an account the plan Pro, which includes web forwarding. @throws Error with the service's reason */
export async function makePro(stack: Service, account: Account): Promise<void> {
  const [administrator, { data: me }] = await Promise.all([
    signInAdministrator(stack),
    account.api.GET('/api/me'),
  ])
  const { error } = await administrator.api.PUT('/api/admin/users/{id}', {
    params: { path: { id: me?.id ?? '' } },
    body: { account_type: 'pro' },
  })
  if (error !== undefined) throw new Error(error.detail)
}

/** The id of a domain of the account. @throws Error when the account has no such domain */
export async function idOf(account: Account, fqdn: string): Promise<string> {
  const { data = [] } = await account.api.GET('/api/domains')
  const found = data.find((domain) => domain.fqdn === fqdn)
  if (found === undefined) throw new Error(`${account.username} has no ${fqdn}`)
  return found.id
}

/** Registers a domain at 192.0.2.1 and forwards it. @throws Error with the service's reason */
export async function addForward(
  account: Account,
  fqdn: string,
  settings: Omit<NewWebForward, 'domain_id'>,
): Promise<SavedWebForward> {
  await addNames(account, [fqdn])
  const { data, error } = await account.api.POST('/api/webforward', {
    body: { domain_id: await idOf(account, fqdn), ...settings },
  })
  if (data === undefined) throw new Error(`${fqdn}: ${error?.detail}`)
  return data
}

/** What curl printed about one response. */
export interface Visit {
  readonly status: number
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** The URL after redirects, if curl followed them. */
  readonly url: string
}

/** Requests a URL of a forwarded host with curl, as if DNS had returned the forwarder's address. */
export async function visit(
  { forwardPort }: Pick<Service, 'forwardPort'>,
  host: string,
  { path = '/', args = [] }: { readonly path?: string; readonly args?: readonly string[] } = {},
): Promise<Visit> {
  const shown = ['--silent', '--show-error', '--include', '--write-out', '\n%{url_effective}']
  const limit = ['--max-time', '20', '--resolve', `${host}:${forwardPort}:127.0.0.1`]
  const url = `http://${host}:${forwardPort}${path}`
  const { stdout } = await runFile('curl', [...shown, ...limit, ...args, url])
  const end = stdout.lastIndexOf('\n')
  const parts = stdout.slice(0, end).split('\r\n\r\n')
  // After redirects that curl followed, only the last response counts.
  const [head = '', ...body] = parts.slice(parts.findLastIndex((part) => part.startsWith('HTTP/')))
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: new Map(headers),
    body: body.join('\r\n\r\n'),
    url: stdout.slice(end + 1),
  }
}
