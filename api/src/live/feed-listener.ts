/**
 * The one connection on which this process hears that something changed. A notification is a hint that shortens a wait:
 * changes of domains are also found by reading. Update calls and states of monitors are only announced here.
 */
import type { Knex } from 'knex'
import type { Client, Notification } from 'pg'
import { MONITORS_CHANNEL } from '../monitoring/store/live-channel.ts'
import { UPDATE_CALLS_CHANNEL } from '../update-log/call-log-store.ts'

/** Sent with each change set (migration 0006), with the id of its zone. */
const ZONE_CHANNEL = 'zone_change'
const RETRY_AFTER_MS = 5_000

/** The part of knex that opens connections outside its pool. */
interface ConnectionMaker {
  acquireRawConnection(): Promise<Client>
}

export interface Heard {
  zone(zoneId: string): void
  updateCalls(domainIds: readonly string[]): void
  monitors(domainIds: readonly string[]): void
}

export class FeedListener {
  readonly #knex: Knex
  readonly #heard: Heard
  #connection: Client | undefined
  #triedAt = -Infinity
  #isWanted = false

  constructor(knex: Knex, heard: Heard) {
    this.#knex = knex
    this.#heard = heard
  }

  /** Connects, unless it is connected or has failed to a moment ago. @throws the error of PostgreSQL */
  async ensureOpen(): Promise<void> {
    this.#isWanted = true
    if (this.#connection !== undefined) return
    if (performance.now() - this.#triedAt < RETRY_AFTER_MS) return
    this.#triedAt = performance.now()
    const maker = this.#knex.client as ConnectionMaker
    const connection = await maker.acquireRawConnection()
    this.#connection = connection
    const lose = () => {
      if (this.#connection === connection) this.#connection = undefined
    }
    connection.on('error', lose)
    connection.on('end', lose)
    connection.on('notification', (message) => this.#hear(message))
    try {
      await connection.query(
        `listen ${ZONE_CHANNEL}; listen ${UPDATE_CALLS_CHANNEL}; listen ${MONITORS_CHANNEL}`,
      )
    } catch (error) {
      lose()
      await connection.end().catch(() => undefined)
      throw error
    }
    if (!this.#isWanted) await this.close()
  }

  async close(): Promise<void> {
    this.#isWanted = false
    const connection = this.#connection
    this.#connection = undefined
    this.#triedAt = -Infinity
    await connection?.end().catch(() => undefined)
  }

  #hear({ channel, payload = '' }: Notification): void {
    if (channel === ZONE_CHANNEL) this.#heard.zone(payload)
    else if (channel === MONITORS_CHANNEL) this.#heard.monitors(payload.split(','))
    else this.#heard.updateCalls(payload.split(','))
  }
}
