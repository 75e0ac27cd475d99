/** The accounts of the route matrix, each with one of everything that an account can have. */
import type { DomainEvent, Notice, ZoneEvent } from '@homing/openapi'
import assert from 'node:assert/strict'
import { newSecret, digestOf } from '../../../src/rules/secrets.ts'
import { SYSTEM } from '../../../src/feed/address-change.ts'
import { insertOwnZone } from '../../support/own-zone.ts'
import { addNameLock, applyNameLock, holdNames } from '../../../src/feed/name-locks.ts'
import { query } from '../../../src/database/sql.ts'
import { type ApiWorld, type Caller, openApiWorld } from '../../support/api-world.ts'
import { call } from '../../support/calls.ts'
import { addressOf, type Belongings, type Holder, holderOf } from './belongings.ts'
import { MemoryProvider } from '../../support/memory-provider.ts'
import { HolderCopies } from './holder-copies.ts'
import { MAINTENANCE } from './usual-calls.ts'

/** The unusual limits of a key. */
export interface OddKey {
  readonly scope?: object
  readonly expiresAt?: string
}

export class MatrixWorld {
  readonly world: ApiWorld
  #calls = 10_000
  #people = 1_000
  #copies: Promise<HolderCopies> | undefined

  private constructor(world: ApiWorld) {
    this.world = world
  }

  /** Ids are long and differ between tables, so that an id in a response is not a coincidence. */
  static async open(
    settings: Parameters<typeof openApiWorld>[0] = {},
    replaced: Parameters<typeof openApiWorld>[1] = {},
  ): Promise<MatrixWorld> {
    const payments = { stripe: new MemoryProvider('stripe', () => new Date()) }
    const world = await openApiWorld(settings, { payments, ...replaced })
    await query(
      world.knex,
      `do $$ declare c record; n int := 10; begin
         for c in select table_name, column_name from information_schema.columns
                  where table_schema = 'public' and is_identity = 'YES' and table_name not like '%default' order by 1 loop
           n := n + 1;
           execute format('alter table %I alter column %I restart with %s', c.table_name, c.column_name,
                          '61' || n || '73000001');
         end loop;
       end $$`,
    )
    return new MatrixWorld(world)
  }

  async end(): Promise<void> {
    await this.world.end()
  }

  /** A text that no other call contains, and that is not part of another. */
  nonce(): string {
    this.#calls += 1
    return String(this.#calls)
  }

  /**
   * An account with one of everything, whatever its plan allows now, and that no call has changed: a copy of one that the
   * API made. It has no entries in the change feeds.
   */
  async holder(plan = 'pro'): Promise<Holder> {
    this.#copies ??= this.createHolder('pro').then((original) =>
      HolderCopies.of(this.world.knex, original),
    )
    const copies = await this.#copies
    this.#people += 1
    return copies.copy(plan, this.#people)
  }

  /** Such an account that the API makes, in a hundred statements. */
  async createHolder(plan = 'pro'): Promise<Holder> {
    const { world } = this
    const { knex, app } = world
    this.#people += 1
    const person = this.#people
    const username = `holder${person}`
    const { headers, id: userId } = await world.person(username, 'pro')
    const post = async (url: string, body: object) => {
      const reply = await call(app, 'POST', url, { headers, body })
      assert.equal(reply.status, 201, `${url} ${reply.text}`)
      return reply.json<{ id: string; fqdn: string; key: string; token: string; prefix: string }>()
    }
    const address = addressOf(person)
    await query(knex, 'update users set given_name = ?, surname = ? where id = ?', [
      `Given-${username}`,
      `Surname-${username}`,
      userId,
    ])
    const domain = await post('/api/domains', {
      fqdn: `${username}-home.homing.test`,
      record_ipv4: '203.0.113.7',
      record_ipv6: address,
    })
    await post('/api/domains/wildcard', { base_fqdn: domain.fqdn })
    // Of its own: a call of the matrix disables forwards, which blocks their targets for all accounts.
    const target_url = `https://www.example.com/${username}`
    const forward = await post('/api/webforward', { domain_id: domain.id, target_url })
    const eventId = await this.#noteEvent(headers, domain.id)
    const deleted = await post('/api/domains', { fqdn: `${username}-deleted.homing.test` })
    await call(app, 'DELETE', `/api/domains/${deleted.id}`, { headers })
    const bare = await post('/api/domains', {
      fqdn: `${username}-bare.homing.test`,
      record_ipv4: '203.0.113.8',
    })
    const locked = await post('/api/domains', {
      fqdn: `${username}-locked.homing.test`,
      record_ipv4: '203.0.113.9',
    })
    const record = { owner: 'text', type: 'TXT', values: [`Text of ${username}`] }
    const { id: recordId } = await post(`/api/domains/${domain.id}/records`, record)
    const { id: lockedRecordId } = await post(`/api/domains/${locked.id}/records`, record)
    const own = await insertOwnZone(knex, userId, `${username}-records.example`)
    const { id: zoneRecordId } = await post(`/api/zones/${own.claimId}/records`, record)
    const [event] = (await call(app, 'GET', `/api/zones/${own.claimId}/events`, { headers })).json<
      ZoneEvent[]
    >()
    assert(event)
    const lockedForward = await post('/api/webforward', { domain_id: locked.id, target_url })
    const windowId = await this.#monitor(headers, domain.id)
    const lockedWindowId = await this.#monitor(headers, locked.id)
    const { token: updateToken } = await post(`/api/domains/${domain.id}/update-token`, {})
    const { token: lockedToken } = await post(`/api/domains/${locked.id}/update-token`, {})
    const key = await post('/api/api-keys/', { name: `key-of-${username}` })
    const policy = await post('/api/trust-policies/', {
      name: `policy-of-${username}`,
      issuer: 'https://token.actions.githubusercontent.com',
      repository: `${username}/home`,
    })
    const another = await world.signIn(userId)
    const [session] = await query<{ id: string }>(
      knex,
      `update sessions set ip = ?, user_agent = ? where token_digest = decode(?, 'hex') returning id`,
      [address, `Browser of ${username}`, digestOf(tokenOf(another))],
    )
    assert(session)
    const lockId = await this.#lock(userId, locked.fqdn)
    const noticeId = await this.#lockNotice(headers)
    await query(knex, 'update users set account_type = ? where id = ?', [plan, userId])
    const its: Belongings = {
      userId,
      username,
      email: `${username}@mail.test`,
      domainId: domain.id,
      fqdn: domain.fqdn,
      eventId,
      deletedId: deleted.id,
      deletedFqdn: deleted.fqdn,
      bareId: bare.id,
      bareFqdn: bare.fqdn,
      forwardId: forward.id,
      windowId,
      zoneId: await this.#zoneClaim(userId, `${username}.example`),
      zoneName: `${username}.example`,
      recordId,
      recordZoneId: own.claimId,
      recordZoneName: `${username}-records.example`,
      zoneRecordId,
      zoneEventId: event.id,
      keyId: key.id,
      policyId: policy.id,
      passkeyId: await this.#passkey(userId, `passkey-of-${username}`),
      sessionId: session.id,
      lockedId: locked.id,
      lockedFqdn: locked.fqdn,
      lockedForwardId: lockedForward.id,
      lockedWindowId,
      lockedRecordId,
      lockId,
      blockedTargetId: await this.#blockedTarget(userId, username),
      noticeId,
    }
    const token = tokenOf(headers)
    return holderOf({ plan, person, its, token, key: key.key, updateToken, lockedToken })
  }

  /** Turns the monitor of a domain on. @returns the id of its maintenance window */
  async #monitor(headers: Caller['headers'], domainId: string): Promise<string> {
    const { app } = this.world
    const url = `/api/uptime/domain/${domainId}`
    await call(app, 'POST', `${url}/monitor`, { headers, body: { enable: true } })
    const made = await call(app, 'POST', `${url}/maintenance`, { headers, body: MAINTENANCE })
    assert.equal(made.status, 201, made.text)
    return made.json<{ id: string }>().id
  }

  /** @returns the id of the event of a new note */
  async #noteEvent(headers: Caller['headers'], domainId: string): Promise<string> {
    const { app } = this.world
    const url = `/api/domains/${domainId}`
    await call(app, 'PUT', url, { headers, body: { note: `Note of holder${this.#people}` } })
    const [event] = (await call(app, 'GET', `${url}/events`, { headers })).json<DomainEvent[]>()
    assert(event)
    return event.id
  }

  /** Inserts a claim that nobody has proved. @returns its id */
  async #zoneClaim(userId: string, name: string): Promise<string> {
    const [made] = await query<{ id: string }>(
      this.world.knex,
      `insert into zone_claims (user_id, name, token, expires_at)
       values (?, ?, 'token-of-' || ?, now() + interval '30 days') returning id`,
      [userId, name, name],
    )
    assert(made)
    return made.id
  }

  /** Inserts a passkey as the api would. @returns its id */
  async #passkey(userId: string, name: string): Promise<string> {
    const [made] = await query<{ id: string }>(
      this.world.knex,
      `insert into passkeys (user_id, name, credential_id, public_key, sign_count, transports,
                             is_synced, is_backed_up, created_at)
       values (?, ?, uuid_send(gen_random_uuid()), '\\xa0', 0, '{usb}', false, false, now()) returning id`,
      [userId, name],
    )
    assert(made)
    return made.id
  }

  /** Locks a name as an administrator would. @returns the id of the lock */
  async #lock(userId: string, fqdn: string): Promise<string> {
    const { knex } = this.world
    await knex.transaction(async (trx) => {
      await holdNames(trx, fqdn)
      await addNameLock(trx, { fqdn, user_id: userId }, SYSTEM)
      await applyNameLock(trx, fqdn)
    })
    const sql = 'select id from locked_names where fqdn = ?'
    const [lock] = await query<{ id: string }>(knex, sql, [fqdn])
    assert(lock)
    return lock.id
  }

  /** @returns the id of a target that is blocked */
  async #blockedTarget(userId: string, username: string): Promise<string> {
    const [block] = await query<{ id: string }>(
      this.world.knex,
      `insert into blocked_targets (host, scope, reason, blocked_by)
       values (?, 'host', 'It imitates a bank.', ?) returning id`,
      [`${username}.evil.example`, userId],
    )
    assert(block)
    return block.id
  }

  /** @returns the id of the notice about the locked domain */
  async #lockNotice(headers: Caller['headers']): Promise<string> {
    const reply = await call(this.world.app, 'GET', '/api/me/notices', { headers })
    const notice = reply.json<Notice[]>().find(({ kind }) => kind === 'domains-locked')
    assert(notice)
    return notice.id
  }

  /** Inserts another key of an account, as the api would. */
  async key(userId: string, { scope, expiresAt }: OddKey = {}): Promise<string> {
    const key = newSecret('api_key', this.world.services.randomBytes)
    const unlimited = { domains: null, actions: null, record_types: null, networks: null }
    await query(
      this.world.knex,
      `insert into api_keys (user_id, name, prefix, secret_digest, scope, expires_at)
       values (?, 'odd', ?, decode(?, 'hex'), ?::jsonb, ?)`,
      [
        userId,
        key.slice(0, 10),
        digestOf(key),
        scope ? JSON.stringify({ ...unlimited, ...scope }) : null,
        expiresAt ?? null,
      ],
    )
    return key
  }
}

/** The token of a signed-in user. */
export function tokenOf(headers: Caller['headers']): string {
  return headers['authorization']?.replace('Bearer ', '') ?? ''
}
