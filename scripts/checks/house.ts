/** The checks of the project, slowest first, so that two lanes end at about the same time. */
import { existsSync, readFileSync } from 'node:fs'
import { type Check, fromFindings } from './check.ts'
import { commandCheck, ROOT } from './command.ts'
import { asvsPageFindings } from './asvs.ts'
import { docsFindings } from './docs.ts'
import { lockFileFindings } from './lock-file.ts'
import { plainEnglishFindings } from './plain-english.ts'
import { typeChecks } from './types.ts'
import { roomCycleFindings } from '../lint/room-cycles.ts'
import { firstLoadChecks } from '../builds/first-load.ts'

interface RootPackage {
  readonly workspaces: readonly string[]
}

const { workspaces } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8')) as RootPackage

const sourceFolders = (): string[] =>
  workspaces.map((folder) => `${folder}/src`).filter((folder) => existsSync(ROOT + folder))

export function houseChecks(): Check[] {
  return [
    commandCheck('lint and import boundaries', 'oxlint', '--type-aware', '--deny-warnings'),
    commandCheck('schema manifest', 'node', 'api/scripts/schema-manifest.ts', '--check'),
    commandCheck('contract', 'node', 'openapi/scripts/generate.ts', '--check'),
    commandCheck('devices in the guide', 'node', 'openapi/scripts/devices-guide.ts', '--check'),
    ...typeChecks(workspaces.filter((folder) => existsSync(`${ROOT}${folder}/tsconfig.json`))),
    commandCheck('dead exports and unused dependencies', 'knip', '--no-progress'),
    commandCheck('format', 'oxfmt', '--check', '.'),
    ...firstLoadChecks(),
    {
      name: 'room cycles',
      run: async () => fromFindings(roomCycleFindings(ROOT, sourceFolders())),
    },
    { name: 'lock file', run: async () => fromFindings(lockFileFindings(ROOT)) },
    { name: 'requirements', run: async () => fromFindings(asvsPageFindings(ROOT)) },
    { name: 'plain English', run: async () => fromFindings(await plainEnglishFindings(ROOT)) },
    { name: 'docs', run: async () => fromFindings(docsFindings(ROOT)) },
  ]
}
