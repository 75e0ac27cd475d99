/** Reads the names of the account into the cache, in a process of its own that nobody waits for. */
import { apiAt, listOf } from '../lib/api.ts'
import { accountFrom, type AccountFlags } from '../lib/credentials.ts'
import { EXIT } from '../lib/exit-codes.ts'
import { CommandFailure } from '../lib/failure.ts'
import {
  type AccountNames,
  namesFile,
  NO_NAMES,
  onlyNames,
  removeUnusedNames,
  writeNames,
} from './names-cache.ts'

/** The process ends after this time. */
const LIMIT_MS = 10_000
/** More domains are not offered: the file stays small, and a list of them is of no use at a terminal. */
const DOMAIN_LIMIT = 1_000

const unlessRefused = (error: unknown): [] => {
  if (error instanceof CommandFailure && error.exitCode === EXIT.auth) return []
  throw error
}

/** @throws CommandFailure */
async function readFrom(server: string, token: string): Promise<AccountNames> {
  const api = await apiAt(server, { authorization: `Bearer ${token}` })
  const query = { sort: '["fqdn","ASC"]', range: `[0,${DOMAIN_LIMIT - 1}]` }
  const [domains, zones] = await Promise.all([
    api.GET('/api/domains', { params: { query } }).then((answer) => listOf(answer, 'fqdn', 'zone')),
    // Many API keys may not read own zones.
    api
      .GET('/api/zones')
      .then((answer) => listOf(answer, 'zone', 'state'))
      .catch(unlessRefused),
  ])
  const ownZones = zones.filter(({ state }) => state !== 'expired' && state !== 'lost')
  return {
    domains: onlyNames(domains.map(({ fqdn }) => fqdn)),
    ownZones: onlyNames(ownZones.map(({ zone }) => zone)).toSorted(),
    zones: onlyNames([...new Set(domains.map(({ zone }) => zone))]).toSorted(),
  }
}

async function writeFreshNames(flags: AccountFlags): Promise<void> {
  const { env } = process
  const account = await accountFrom(flags)
  const { server, credentials } = account
  if (credentials.kind === 'password') return
  const file = namesFile(account, env)
  const names = await readFrom(server, credentials.token).catch((error: unknown) => {
    unlessRefused(error)
    return NO_NAMES
  })
  // The account may have signed out in the meantime. Then this throws, or finds another file.
  if (namesFile(await accountFrom(flags), env) !== file) return
  const askedAt = Date.now()
  writeNames(file, { ...names, askedAt })
  removeUnusedNames(env, askedAt)
}

/**
 * Writes the names of the account that the flags, the environment or the profile name. A server that refuses the
 * credential leaves no names.
 *
 * @throws CommandFailure when there is no credential, or the service does not answer
 */
export async function refreshNames(flags: AccountFlags): Promise<void> {
  const timer = setTimeout(() => process.exit(), LIMIT_MS)
  await writeFreshNames(flags).finally(() => clearTimeout(timer))
}
