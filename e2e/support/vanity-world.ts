/** The whole service in the small Internet of `registry.ts`: its name servers answer at their public addresses, at port 53. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Account, registerAccount, signInAdministrator } from './accounts.ts'
import { openDoor } from './namespace-door.ts'
import {
  NAMESERVERS,
  type Registry,
  ROOT_HINTS,
  SERVICE_ADDRESSES,
  startRegistry,
} from './registry.ts'
import { type Stack, startStack } from './stack.ts'

export interface VanityWorld {
  readonly registry: Registry
  /** The service. Its URL leads into the namespace. */
  readonly stack: Stack
  /** The port of the API in the namespace. */
  readonly insidePort: number
  /** An account with everything that Elite includes. */
  eliteAccount(username: string): Promise<Account>
  close(): Promise<void>
}

/** Starts it with its data in a folder. Requires root. */
export async function startVanityWorld(folder: string): Promise<VanityWorld> {
  const registry = await startRegistry(join(folder, 'registry'))
  const hints = join(folder, 'root.hints')
  writeFileSync(hints, ROOT_HINTS)
  const { namespace } = registry
  const dataDir = join(folder, 'data')
  const inside = await startStack({
    dataDir,
    namespace,
    env: {
      RATE_LIMITS: 'off',
      ALLOW_PRIVATE_TARGETS: '1',
      ROOT_HINTS: hints,
      NAMESERVERS,
      DNS_HOST: SERVICE_ADDRESSES.join(','),
      DNS_PORT: '53',
    },
  })
  const insidePort = Number(new URL(inside.url).port)
  const door = await openDoor(namespace, folder, insidePort)
  const stack = { ...inside, url: `http://127.0.0.1:${door.port}` }
  const boss = await signInAdministrator(stack)
  return {
    registry,
    stack,
    insidePort,
    async eliteAccount(username) {
      const account = await registerAccount(stack, username)
      const { data: me } = await account.api.GET('/api/me')
      const params = { path: { id: me?.id ?? '' } }
      await boss.api.PUT('/api/admin/users/{id}', { params, body: { account_type: 'elite' } })
      return account
    },
    async close() {
      await door.close()
      await inside.stop()
      await registry.close()
    },
  }
}
