/**
 * The commands for oclif, from the manifest.
 *
 * oclif can read the manifest itself, but then it sorts the commands by the rules of a language. Node loads these rules for half the processor
 * time of its own start, and nothing needs the order: help sorts what it shows.
 */
import type { Command } from '@oclif/core/command'
import type * as Interfaces from '@oclif/core/interfaces'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Manifest {
  readonly commands: Readonly<Record<string, Command.Cached & { readonly relativePath: string[] }>>
}

interface CommandModule {
  readonly default: Command.Class
}

/**
 * The commands in the manifest of a folder. Each loads its file when it runs.
 *
 * @param root the folder of `oclif.manifest.json`: that of the package, or of a build
 * @throws Error when the manifest is missing
 */
export function programIn(root: string, pjson: Interfaces.PJSON): Interfaces.Plugin {
  const { name, version } = pjson
  const text = readFileSync(join(root, 'oclif.manifest.json'), 'utf8')
  const { commands } = JSON.parse(text) as Manifest
  const load = async (id: string): Promise<Command.Class> => {
    const file = join(root, ...(commands[id]?.relativePath ?? []))
    const { default: command } = (await import(pathToFileURL(file).href)) as CommandModule
    return Object.assign(command, { id, plugin: program })
  }
  const program: Interfaces.Plugin = {
    _base: `${name}@${version}`,
    alias: name,
    name,
    version,
    pjson,
    root,
    options: { root },
    type: 'core',
    moduleType: 'module',
    isRoot: true,
    valid: true,
    hasManifest: true,
    hooks: {},
    commandsDir: undefined,
    commandIDs: Object.keys(commands),
    commands: Object.values(commands).map((cached) => ({ ...cached, load: () => load(cached.id) })),
    topics: Object.entries(pjson.oclif.topics ?? {}).map(([topic, { description }]) => ({
      name: topic,
      description,
    })),
    findCommand: load,
    load: () => Promise.resolve(),
  }
  return program
}
