import { Plugin } from '@oclif/core/config'
import type * as Interfaces from '@oclif/core/interfaces'
import { settings } from '@oclif/core/settings'
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }

const ROOT = fileURLToPath(new URL('..', import.meta.url))
export const MANIFEST_FILE = fileURLToPath(new URL('../oclif.manifest.json', import.meta.url))

/** The manifest of the sources, as text. */
export async function manifestOfSources(): Promise<string> {
  settings.enableAutoTranspile = false
  const plugin = new Plugin({
    root: ROOT,
    pjson: packageJson as Interfaces.PJSON,
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
  })
  await plugin.load()
  const { commands, version } = plugin.manifest
  // One line per command, so that a diff shows which one changed.
  const lines = Object.keys(commands)
    .sort()
    .map((id) => `    ${JSON.stringify(id)}: ${JSON.stringify(commands[id])}`)
  return `{\n  "version": ${JSON.stringify(version)},\n  "commands": {\n${lines.join(',\n')}\n  }\n}\n`
}
