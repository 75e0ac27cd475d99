import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MANIFEST_FILE, manifestOfSources } from '../scripts/manifest-of-sources.ts'

interface Manifest {
  readonly commands: Readonly<
    Record<
      string,
      { aliases: readonly string[]; args: object; flags: object; jsonFields: readonly string[] }
    >
  >
}

/** Scripts rely on this. A changed line changes the contract: mention it in the CHANGELOG. */
function snapshotOf(manifest: string) {
  const { commands } = JSON.parse(manifest) as Manifest
  return Object.entries(commands)
    .map(([id, { aliases, args, flags, jsonFields }]) => ({
      command: id.replaceAll(':', ' '),
      ...(aliases.length > 0 && { aliases: aliases.map((alias) => alias.replaceAll(':', ' ')) }),
      args: Object.keys(args),
      flags: Object.keys(flags).sort(),
      json: jsonFields,
    }))
    .sort((one, other) => (one.command < other.command ? -1 : 1))
}

test('oclif.manifest.json matches the sources; if not: npm run generate -w cli', async () => {
  expect(readFileSync(MANIFEST_FILE, 'utf8')).toBe(await manifestOfSources())
})

test('commands, arguments, flags and fields of JSON are those of command-snapshot.json', async () => {
  const snapshot = snapshotOf(readFileSync(MANIFEST_FILE, 'utf8'))
  // Help is for people.
  for (const { command, json } of snapshot) expect(json.length > 0).toBe(command !== 'help')
  await expect(`${JSON.stringify(snapshot, null, 2)}\n`).toMatchFileSnapshot(
    '../command-snapshot.json',
  )
})
