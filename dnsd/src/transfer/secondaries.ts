/*
 * Everything between this server and its secondaries, on the main thread: who may have which zone, transfers,
 * messages about changes, the catalog. It follows the settings and the zones that are held.
 */
import type { LiveSettings } from '../settings/live.ts'
import type { History } from '../store/history.ts'
import type { ZoneStore } from '../store/index.ts'
import { TransferAccess } from './access.ts'
import { Catalog } from './catalog.ts'
import type { TransferEvents } from './events.ts'
import { Notifier } from './notifier.ts'
import { TransferServer } from './transfer-server.ts'

export interface SecondariesOptions {
  readonly store: ZoneStore
  readonly history: History
  readonly settings: Pick<LiveSettings, 'current' | 'onChange'>
  /** Addresses that this server answers at. */
  readonly hosts: readonly string[]
  readonly events: TransferEvents
  /** Something that the operator has to know. */
  readonly onProblem: (text: string) => void
}

export class Secondaries {
  readonly transfers: TransferServer
  readonly #options: SecondariesOptions
  readonly #notifier: Notifier
  readonly #catalog: Catalog
  #access: TransferAccess
  #isBegun = false

  constructor(options: SecondariesOptions) {
    const { store, history, settings, hosts, events, onProblem } = options
    this.#options = options
    this.#access = new TransferAccess(settings.current)
    const access = (): TransferAccess => this.#access
    const zone = (originKey: string) => store.zones.get(originKey)
    this.transfers = new TransferServer({ store, history, access, events })
    this.#notifier = new Notifier({ zone, access, events, hosts })
    this.#catalog = new Catalog(store, onProblem)
    store.onChange((originKey, change) => {
      if (change === 'gone') this.#notifier.forget(originKey)
      else if (this.#isBegun) this.#notifier.changed(originKey)
      if (change !== 'changed' && this.#isBegun) void this.#catalog.update()
    })
    settings.onChange((changed) => {
      this.#access = new TransferAccess(changed)
      if (this.#isBegun) void this.begin()
    })
  }

  /** Who may have which zone now. */
  readonly access = (): TransferAccess => this.#access

  /**
   * Once all zones are held: serves the catalog, and tells of every zone, since it may have changed. Never rejects,
   * as a fault in it is no reason to stop answering; problems are told.
   */
  async begin(): Promise<void> {
    try {
      await this.#begin()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#options.onProblem(`Secondaries may not be told of all zones: ${why}`)
    }
  }

  async #begin(): Promise<void> {
    const { store, settings } = this.#options
    this.#isBegun = true
    await this.#catalog.serve(settings.current.catalog)
    for (const { key } of store.zones.all()) this.#notifier.changed(key)
  }

  close(): void {
    this.#notifier.close()
  }
}
