/**
 * Callers that do not own the things of a call, permitted callers, and secrets that cannot update a domain of the
 * owner.
 */
import { keyActionsOf } from '@homing/openapi'
import assert from 'node:assert/strict'
import type { Caller } from '../../support/api-world.ts'
import { bearer } from '../../support/calls.ts'
import type { ListedOperation } from '../../support/contract-table.ts'
import type { Holder } from './belongings.ts'
import type { MatrixWorld } from './matrix-world.ts'
import type { Cast } from './callers.ts'

type Headers = Caller['headers']

export const OTHER_NAME = 'owner’s key for another name'

/** Accounts that may make such a call about their own things, but not about the owner's. */
export function strangersOf(
  { pro, free, elite, administrator, keys }: Cast,
  { access, keyAction }: ListedOperation,
): Record<string, Headers> {
  const unsigned = { unsigned: {} }
  const people = { pro: pro.headers, free: free.headers, elite: elite.headers }
  const office = { administrator: administrator.headers }
  if (access === 'administrator') return office
  if (access === 'session') return { ...people, ...office }
  if (access === 'public') return { ...unsigned, ...people, ...office }
  assert(keyAction, 'an operation for keys says what they have to be allowed')
  return {
    ...people,
    ...office,
    'pro’s key': bearer(pro.key),
    'elite’s key': bearer(elite.key),
    'administrator’s key': bearer(administrator.key),
    [OTHER_NAME]: bearer(keys.otherName),
  }
}

/** The permitted callers, each with things of their own. */
export async function rightfulOf(
  matrix: MatrixWorld,
  cast: Cast,
  operation: ListedOperation,
): Promise<[string, Holder, Headers][]> {
  const { access, method } = operation
  const shared = { pro: cast.pro, free: cast.free, elite: cast.elite, admin: cast.administrator }
  const holder = async (plan: keyof typeof shared) =>
    method === 'GET' ? shared[plan] : await matrix.holder(plan)
  if (access === 'public') {
    return [
      ['unsigned', cast.pro, {}],
      ['with a session', cast.pro, cast.pro.headers],
    ]
  }
  const by = (name: string, it: Holder): [string, Holder, Headers] => [name, it, it.headers]
  const byCookie = (it: Holder): [string, Holder, Headers] => [
    'by cookie',
    it,
    { cookie: it.cookie, origin: 'http://localhost:8080', host: 'localhost:8080' },
  ]
  if (access === 'administrator') {
    // An administrator's call is about things of another account.
    const { administrator } = cast
    const about = async (name: string, headers: Headers): Promise<[string, Holder, Headers]> => [
      name,
      await holder('pro'),
      headers,
    ]
    return [
      await about('administrator', administrator.headers),
      await about('by cookie', byCookie(administrator)[2]),
    ]
  }
  const people = [
    by('pro', await holder('pro')),
    byCookie(await holder('pro')),
    by('free', await holder('free')),
    by('elite', await holder('elite')),
    by('administrator', await holder('admin')),
  ]
  const actions = [...keyActionsOf(operation)]
  if (actions.length === 0) return people
  const keyed = await holder('pro')
  const scoped = await holder('pro')
  const scope = { actions, domains: ['*.homing.test', '*.example'] }
  const scopedKey = await matrix.key(scoped.its.userId, { scope })
  return [
    ...people,
    ['by key', keyed, bearer(keyed.key)],
    ['by a key for just this', scoped, bearer(scopedKey)],
  ]
}

/** Secrets of other accounts, which update domains of those accounts. */
export const STRANGERS: Record<string, (cast: Cast) => string> = {
  'pro’s token': ({ pro }) => pro.updateToken,
  'pro’s key': ({ pro }) => pro.key,
  'elite’s key': ({ elite }) => elite.key,
  'administrator’s key': ({ administrator }) => administrator.key,
  'administrator’s token': ({ administrator }) => administrator.updateToken,
  [OTHER_NAME]: ({ keys }) => keys.otherName,
}

/** Secrets that update nothing. */
export const POWERLESS: Record<string, (cast: Cast) => string> = {
  'a secret that nobody has': () => `ak_${'x'.repeat(36)}`,
  'a key that was revoked': ({ keys }) => keys.revoked,
  'a key that has expired': ({ keys }) => keys.expired,
  'a key from another network': ({ keys }) => keys.elsewhere,
  'a key for reading': ({ keys }) => keys.reading,
  'a key of a plan without keys': ({ free }) => free.key,
  'a key of a disabled account': ({ disabled }) => disabled.key,
  'a token of a disabled account': ({ disabled }) => disabled.updateToken,
  'a key of a banned account': ({ banned }) => banned.key,
  'a token of a banned account': ({ banned }) => banned.updateToken,
  'a session': ({ owner }) => owner.headers['authorization']?.slice(7) ?? '',
}
