/** The plans and zones that the service offers to visitors. They are read from the database at most every ten seconds. */
import type { Plan } from '@homing/openapi'
import type { Services } from '../compose.ts'
import { offeredPlans } from '../models/plan.ts'
import { offeredZones } from '../models/zone.ts'

export interface Offer {
  readonly plans: readonly Plan[]
  readonly zones: readonly string[]
}

/** The first request after this time has the offer read again. */
const FRESH_MS = 10_000

/** The offer, kept in memory. */
export class CurrentOffer {
  readonly #services: Pick<Services, 'knex' | 'log'>
  readonly #clock: () => number
  #known: Offer | undefined
  #readAt = 0
  #reading: Promise<Offer> | undefined

  /** @param clock a monotonic clock, in milliseconds */
  constructor(services: Pick<Services, 'knex' | 'log'>, clock = () => performance.now()) {
    this.#services = services
    this.#clock = clock
  }

  /**
   * The offer. Only the first call waits for the database. Later calls get the last known offer at once, also while the
   * database is unavailable; an old offer is read again meanwhile.
   *
   * @throws the error of the database if the offer was never read
   */
  async read(): Promise<Offer> {
    const known = this.#known
    if (known !== undefined && this.#clock() - this.#readAt < FRESH_MS) return known
    this.#reading ??= this.#ask().finally(() => (this.#reading = undefined))
    return known ?? this.#reading
  }

  async #ask(): Promise<Offer> {
    const { knex, log } = this.#services
    // The offer is as old as the moment when the reading began: the database may answer with what held then.
    const began = this.#clock()
    try {
      const [plans, zones] = await Promise.all([offeredPlans(knex), offeredZones(knex)])
      this.#known = { plans, zones: zones.map(({ name }) => name) }
    } catch (error) {
      if (this.#known === undefined) throw error
      log.warn({ err: error }, 'plans and zones cannot be read; the pages show the last known ones')
    }
    this.#readAt = began
    return this.#known
  }
}
