/**
 * All callers that are refused before anything is looked up, whatever the call names, with the expected refusal. It
 * follows from the operation's `access`, so a new operation needs no entry.
 */
import { keyActionsOf, type Operation, type ProblemCode } from '@homing/openapi'
import { query } from '../../../src/database/sql.ts'
import { bearer } from '../../support/calls.ts'
import type { Holder } from './belongings.ts'
import { type MatrixWorld, tokenOf } from './matrix-world.ts'

/** The accounts and their keys. Each account has one of everything. */
export interface Cast {
  /** The account whose things the calls name. */
  readonly owner: Holder
  readonly pro: Holder
  readonly free: Holder
  readonly elite: Holder
  readonly administrator: Holder
  readonly disabled: Holder
  readonly banned: Holder
  readonly bannedAdministrator: Holder
  /** Keys of the owner, each limited in one way. */
  readonly keys: {
    readonly reading: string
    readonly deleting: string
    readonly elsewhere: string
    readonly expired: string
    readonly revoked: string
    readonly otherName: string
  }
  /** Sessions of the owner that have ended. */
  readonly ended: string
  readonly expired: string
  /** Sessions whose users proved their identity more than an hour ago. */
  readonly unconfirmed: {
    readonly owner: string
    readonly administrator: string
    /** A session of an account with a second factor. */
    readonly guarded: string
  }
}

async function sessionOf(world: MatrixWorld, { its }: Holder): Promise<string> {
  return tokenOf(await world.world.signIn(its.userId))
}

/** A session whose user proved their identity an hour ago. */
async function unconfirmedOf(world: MatrixWorld, holder: Holder): Promise<string> {
  const token = await sessionOf(world, holder)
  await query(
    world.world.knex,
    `update sessions set confirmed_at = now() - interval '1 hour' where id = (select max(id) from sessions)`,
  )
  return token
}

export async function castOf(world: MatrixWorld): Promise<Cast> {
  const { knex } = world.world
  const people: Holder[] = []
  for (const plan of ['pro', 'pro', 'free', 'elite', 'admin', 'disabled', 'pro', 'admin']) {
    people.push(await world.holder(plan))
  }
  const [owner, pro, free, elite, administrator, disabled, banned, bannedAdministrator] =
    people as [Holder, Holder, Holder, Holder, Holder, Holder, Holder, Holder]
  const ban = [banned.its.userId, bannedAdministrator.its.userId]
  await query(knex, 'update users set enabled = false where id = any (?::bigint[])', [ban])
  const { userId } = owner.its
  const revoked = await world.key(userId)
  await query(knex, 'delete from api_keys where prefix = ?', [revoked.slice(0, 10)])
  const ended = await sessionOf(world, owner)
  await query(knex, 'delete from sessions where id = (select max(id) from sessions)')
  const expired = await sessionOf(world, owner)
  await query(
    knex,
    `update sessions set expires_at = now() - interval '1 second' where id = (select max(id) from sessions)`,
  )
  const guarded = await world.holder('pro')
  await query(knex, 'update users set has_second_factor = true where id = ?', [guarded.its.userId])
  return {
    owner,
    pro,
    free,
    elite,
    administrator,
    disabled,
    banned,
    bannedAdministrator,
    keys: {
      reading: await world.key(userId, { scope: { actions: ['read'] } }),
      deleting: await world.key(userId, { scope: { actions: ['delete'] } }),
      elsewhere: await world.key(userId, { scope: { networks: ['192.0.2.0/24'] } }),
      expired: await world.key(userId, { expiresAt: '2020-01-01T00:00:00Z' }),
      revoked,
      otherName: await world.key(userId, { scope: { domains: ['elsewhere.homing.test'] } }),
    },
    ended,
    expired,
    unconfirmed: {
      owner: await unconfirmedOf(world, owner),
      administrator: await unconfirmedOf(world, administrator),
      guarded: await unconfirmedOf(world, guarded),
    },
  }
}

type Headers = Readonly<Record<string, string>>

export interface RefusedCaller {
  readonly name: string
  readonly headers: (cast: Cast) => Headers
  /** Undefined: this operation does not refuse the caller. */
  readonly refusal: (operation: Operation) => ProblemCode | undefined
}

const always = (code: ProblemCode) => () => code
const isOffice = ({ access }: Operation) => access === 'administrator'
const isForKeys = ({ access }: Operation) => access === 'caller'
const isWrite = ({ method }: Operation) => method !== 'GET'

/** The refusal of a valid key: that keys are for domains only takes precedence over its scope. */
const keyFault = (code: ProblemCode) => (operation: Operation) =>
  isForKeys(operation) ? code : 'forbidden'
const inOffice = (operation: Operation) => (isOffice(operation) ? 'forbidden' : undefined)
const onWrite = (operation: Operation) => (isWrite(operation) ? 'cross-site' : undefined)
const stepUp = (operation: Operation, kinds: readonly Operation['stepUp'][]) =>
  operation.stepUp !== undefined && kinds.includes(operation.stepUp)
    ? 'step-up-required'
    : undefined
const cookieWith = (headers: Headers) => (cast: Cast) => ({ cookie: cast.owner.cookie, ...headers })
const officeCookieWith = (headers: Headers) => (cast: Cast) => ({
  cookie: cast.administrator.cookie,
  ...headers,
})

export const REFUSED: readonly RefusedCaller[] = [
  { name: 'unsigned', headers: () => ({}), refusal: always('unauthenticated') },
  {
    name: 'a token that nobody has',
    headers: () => bearer('x'.repeat(43)),
    refusal: always('unauthenticated'),
  },
  {
    name: 'a session that was ended',
    headers: ({ ended }) => bearer(ended),
    refusal: always('unauthenticated'),
  },
  {
    name: 'a session that has expired',
    headers: ({ expired }) => bearer(expired),
    refusal: always('unauthenticated'),
  },
  {
    name: 'the owner’s password',
    headers: ({ owner }) => ({ authorization: owner.basic }),
    refusal: always('unauthenticated'),
  },
  {
    name: 'the owner’s update token',
    headers: ({ owner }) => bearer(owner.updateToken),
    refusal: always('unauthenticated'),
  },
  {
    name: 'a key that was revoked',
    headers: ({ keys }) => bearer(keys.revoked),
    refusal: always('unauthenticated'),
  },
  {
    name: 'a key that has expired',
    headers: ({ keys }) => bearer(keys.expired),
    refusal: always('unauthenticated'),
  },
  {
    name: 'an update token as the cookie',
    headers: ({ owner }) => ({
      cookie: `homing_session=${owner.updateToken}`,
      'sec-fetch-site': 'same-origin',
    }),
    refusal: always('unauthenticated'),
  },
  {
    name: 'a key from another network',
    headers: ({ keys }) => bearer(keys.elsewhere),
    refusal: always('key-scope'),
  },
  {
    name: 'a key without this action',
    headers: ({ keys }) => bearer(keys.reading),
    refusal: (operation) =>
      keyActionsOf(operation).includes('read') ? undefined : keyFault('key-scope')(operation),
  },
  {
    name: 'a key for deleting alone',
    headers: ({ keys }) => bearer(keys.deleting),
    refusal: (operation) =>
      keyActionsOf(operation).includes('delete') ? undefined : keyFault('key-scope')(operation),
  },
  {
    name: 'the owner’s key for everything',
    headers: ({ owner }) => bearer(owner.key),
    refusal: (operation) => (isForKeys(operation) ? undefined : 'forbidden'),
  },
  {
    name: 'an administrator’s key',
    headers: ({ administrator }) => bearer(administrator.key),
    refusal: (operation) => (isForKeys(operation) ? undefined : 'forbidden'),
  },
  {
    name: 'a key of a plan without keys',
    headers: ({ free }) => bearer(free.key),
    refusal: always('plan-required'),
  },
  {
    name: 'a key of a disabled account',
    headers: ({ disabled }) => bearer(disabled.key),
    refusal: always('account-disabled'),
  },
  {
    name: 'a key of a banned account',
    headers: ({ banned }) => bearer(banned.key),
    refusal: always('account-disabled'),
  },
  {
    name: 'a disabled account',
    headers: ({ disabled }) => disabled.headers,
    refusal: always('account-disabled'),
  },
  {
    name: 'a banned account',
    headers: ({ banned }) => banned.headers,
    refusal: always('account-disabled'),
  },
  {
    name: 'a banned administrator',
    headers: ({ bannedAdministrator }) => bannedAdministrator.headers,
    refusal: always('account-disabled'),
  },
  { name: 'free', headers: ({ free }) => free.headers, refusal: inOffice },
  { name: 'pro', headers: ({ pro }) => pro.headers, refusal: inOffice },
  { name: 'elite', headers: ({ elite }) => elite.headers, refusal: inOffice },
  { name: 'the owner', headers: ({ owner }) => owner.headers, refusal: inOffice },
  {
    name: 'a foreign page',
    headers: cookieWith({ origin: 'https://evil.test' }),
    refusal: onWrite,
  },
  {
    name: 'a foreign page that claims the same origin',
    headers: cookieWith({ origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' }),
    refusal: onWrite,
  },
  { name: 'a page without origin', headers: cookieWith({ origin: 'null' }), refusal: onWrite },
  { name: 'a cookie alone', headers: cookieWith({}), refusal: onWrite },
  {
    name: 'another site',
    headers: cookieWith({ 'sec-fetch-site': 'cross-site' }),
    refusal: onWrite,
  },
  {
    name: 'another host of the same site',
    headers: cookieWith({ 'sec-fetch-site': 'same-site' }),
    refusal: onWrite,
  },
  {
    name: 'a foreign page in the office',
    headers: officeCookieWith({ origin: 'https://evil.test' }),
    refusal: (operation) => (isOffice(operation) ? onWrite(operation) : undefined),
  },
  {
    name: 'one who signed in an hour ago',
    headers: ({ unconfirmed }) => bearer(unconfirmed.owner),
    refusal: (operation) => (isOffice(operation) ? undefined : stepUp(operation, [true])),
  },
  {
    name: 'one with a second factor who signed in an hour ago',
    headers: ({ unconfirmed }) => bearer(unconfirmed.guarded),
    refusal: (operation) =>
      isOffice(operation) ? undefined : stepUp(operation, [true, 'with-second-factor']),
  },
  {
    name: 'an administrator who signed in an hour ago',
    headers: ({ unconfirmed }) => bearer(unconfirmed.administrator),
    refusal: (operation) => (isOffice(operation) ? stepUp(operation, [true]) : undefined),
  },
]
