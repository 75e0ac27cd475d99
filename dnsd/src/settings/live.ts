import type { Logger } from 'pino'
import { DEFAULT_SETTINGS, loadSettings, type Settings, SettingsError } from './settings.ts'

/** The current settings, for parts that apply changes while the process runs. */
export class LiveSettings {
  readonly #file: string | undefined
  readonly #listeners: ((settings: Settings) => void)[] = []
  #current: Settings

  /**
   * @param file undefined: all settings have their defaults
   * @throws SettingsError
   */
  constructor(file: string | undefined) {
    this.#file = file
    this.#current = file === undefined ? DEFAULT_SETTINGS : loadSettings(file)
  }

  get current(): Settings {
    return this.#current
  }

  /** Calls `listener` with the settings after each change. */
  onChange(listener: (settings: Settings) => void): void {
    this.#listeners.push(listener)
  }

  /** Reloads the file. If it is invalid, the error is logged and the previous settings stay. */
  reload(log: Pick<Logger, 'info' | 'error'>): void {
    if (this.#file === undefined) {
      log.info('There is no settings file to reload: DNS_SETTINGS is not set.')
      return
    }
    try {
      this.#current = loadSettings(this.#file)
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      log.error(`${error.message}. The settings stay as they were.`)
      return
    }
    for (const listener of this.#listeners) listener(this.#current)
    log.info(`The settings in ${this.#file} were reloaded.`)
  }
}
