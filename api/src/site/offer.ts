/** What the service offers to visitors: plans and zones, read from the database at most every ten seconds. */
import type { Plan } from '@homing/openapi'
import type { Services } from '../compose.ts'
import { offeredPlans } from '../models/plan.ts'
import { offeredZones } from '../models/zone.ts'

export interface Offer {
  readonly plans: readonly Plan[]
  readonly zones: readonly string[]
}

/** A change of a plan shows after this time. */
const FRESH_MS = 10_000

export class CurrentOffer {
  readonly #services: Pick<Services, 'knex' | 'log' | 'now'>
  #known: Offer | undefined
  #readAt = 0
  #reading: Promise<Offer> | undefined

  constructor(services: Pick<Services, 'knex' | 'log' | 'now'>) {
    this.#services = services
  }

  /**
   * The offer. While the database is unavailable, the last known one.
   *
   * @throws the error of the database if the offer was never read
   */
  async read(): Promise<Offer> {
    if (this.#known && this.#services.now().getTime() - this.#readAt < FRESH_MS) return this.#known
    this.#reading ??= this.#ask().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  async #ask(): Promise<Offer> {
    const { knex, log, now } = this.#services
    try {
      const [plans, zones] = await Promise.all([offeredPlans(knex), offeredZones(knex)])
      this.#known = { plans, zones: zones.map(({ name }) => name) }
    } catch (error) {
      if (this.#known === undefined) throw error
      log.warn({ err: error }, 'plans and zones cannot be read; the pages show the last known ones')
    }
    this.#readAt = now().getTime()
    return this.#known
  }
}
