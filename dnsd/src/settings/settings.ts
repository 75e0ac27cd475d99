/**
 * The operator's settings besides the environment: the server's identity, limits, keys, and which
 * secondaries may transfer the zones. `docs/reference/dns-settings.md` shows the file.
 */
import { readFileSync } from 'node:fs'
import { Place, SettingsError } from './place.ts'
import * as sections from './sections.ts'
import { DEFAULT_SETTINGS, type Settings } from './shape.ts'

export { memberOf } from './network.ts'
export { SettingsError } from './place.ts'
export { DEFAULT_SETTINGS, type Secondary, type Settings, type TransferRule } from './shape.ts'

/**
 * Reads a settings file.
 *
 * @throws SettingsError with file, line and what was expected
 */
export function loadSettings(file: string): Settings {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingsError(file, undefined, (error as Error).message)
  }
  return settingsFromText(file, text)
}

/** Like `loadSettings`, for the content of a file. @throws SettingsError */
export function settingsFromText(file: string, text: string): Settings {
  const field = Place.ofFile(file, text)?.fields([
    'identity',
    'version',
    'cookies',
    'rate_limit',
    'tcp',
    'keys',
    'transfers',
    'catalog',
  ])
  const keys = sections.keys(field?.('keys'))
  return {
    identity: sections.shortText(field?.('identity')),
    version: sections.shortText(field?.('version')),
    cookieSecrets: sections.cookieSecrets(field?.('cookies')),
    rateLimit: sections.rateLimit(field?.('rate_limit'), DEFAULT_SETTINGS.rateLimit),
    tcp: sections.tcp(field?.('tcp'), DEFAULT_SETTINGS.tcp),
    keys,
    transfers: sections.transfers(field?.('transfers'), keys),
    catalog: sections.catalog(field?.('catalog')),
  }
}
