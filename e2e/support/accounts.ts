/** Creates accounts and domains in the same way as users and administrators. */
import { type ApiClient, createApiClient, isSignedIn } from '@homing/openapi/client'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { messagesTo } from './mailbox.ts'
import { eventually, type Service } from './stack.ts'

export interface Account {
  readonly username: string
  readonly password: string
  /** The session token, sent as Bearer. */
  readonly token: string
  /** A client that is signed in as this account. */
  readonly api: ApiClient
}

/** @throws Error when the password is refused */
export async function signIn(stack: Service, username: string, password: string): Promise<Account> {
  const { data } = await createApiClient({ baseUrl: stack.url }).POST('/api/login', {
    body: { username_or_email: username, password },
  })
  if (data === undefined || !isSignedIn(data)) throw new Error(`${username} cannot sign in`)
  const { token } = data
  const headers = { authorization: `Bearer ${token}` }
  return { username, password, token, api: createApiClient({ baseUrl: stack.url, headers }) }
}

/** The first administrator, whose password is in DATA_DIR. */
export async function signInAdministrator(stack: Service): Promise<Account> {
  const password = readFileSync(join(stack.dataDir, 'admin-password'), 'utf8').trim()
  return signIn(stack, 'admin', password)
}

/** Registers an account and verifies its address by the link in its mail. */
export async function registerAccount(stack: Service, username: string): Promise<Account> {
  const anonymous = createApiClient({ baseUrl: stack.url })
  const [email, password] = [`${username}@mail.example`, `the password of ${username}`]
  const registered = await anonymous.POST('/api/register', {
    body: { username, email, password, terms: true },
  })
  if (!registered.response.ok) throw new Error(`${username} cannot register`)
  const [mail] = await eventually(
    () => messagesTo(stack.dataDir, email),
    (messages) => messages.length > 0,
  )
  const token = /verify-email\/([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  const verified = await anonymous.POST('/api/verify-email', { body: { token } })
  if (!verified.response.ok) throw new Error(`${username} cannot verify`)
  return signIn(stack, username, password)
}

/** Adds domains, several at a time. @throws Error with the response to the first that is refused */
export async function addNames(account: Account, fqdns: readonly string[]): Promise<void> {
  const waiting = [...fqdns]
  async function add(): Promise<void> {
    for (let fqdn = waiting.pop(); fqdn !== undefined; fqdn = waiting.pop()) {
      const body = { fqdn, zone: 'homing.test', rrtype: 'A', record_ip: '192.0.2.1' } as const
      // A service that has just started on a busy machine can refuse a call for the moment.
      const { error } = await eventually(
        () => account.api.POST('/api/domains', { body }),
        ({ response }) => response.status !== 503,
      )
      if (error !== undefined) throw new Error(`${fqdn}: ${error.detail}`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, add))
}
