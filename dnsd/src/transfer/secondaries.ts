/*
 * Everything between this server and its secondaries, on the main thread: access rules, transfers, NOTIFY messages,
 * and the catalog. It follows the settings and the loaded zones.
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
  /** The addresses that this server answers on. */
  readonly hosts: readonly string[]
  readonly events: TransferEvents
  /** Reports a problem to the operator. */
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
    const zone = (apexKey: string) => store.zones.get(apexKey)
    this.transfers = new TransferServer({ store, history, access, events })
    this.#notifier = new Notifier({ zone, access, events, hosts })
    this.#catalog = new Catalog(store, onProblem)
    store.onChange((apexKey, change) => {
      if (change === 'gone') this.#notifier.forget(apexKey)
      else if (this.#isBegun) this.#notifier.changed(apexKey)
      if (change !== 'changed' && this.#isBegun) void this.#catalog.update()
    })
    settings.onChange((changed) => {
      this.#access = new TransferAccess(changed)
      if (this.#isBegun) void this.begin()
    })
  }

  /** The current access rules. */
  readonly access = (): TransferAccess => this.#access

  /**
   * Call it once all zones are loaded. It serves the catalog and notifies secondaries of every zone, since each may
   * have changed. It never rejects, because a fault here must not stop answering; problems are reported.
   */
  async begin(): Promise<void> {
    try {
      await this.#begin()
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      this.#options.onProblem(`Secondaries may not be notified of all zones: ${why}`)
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
