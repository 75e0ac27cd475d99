/**
 * Type checks. Workspaces with the same compiler options are checked as one program: they import each other's sources, whose
 * types a compiler run for each workspace would check again.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from './check.ts'
import { commandCheck, ROOT } from './command.ts'

interface TypeScriptConfig {
  readonly extends?: string
  readonly compilerOptions?: object
  readonly include: readonly string[]
  readonly exclude?: readonly string[]
}

/** A program: the configuration whose options it has, and the folders whose `tsconfig.json` name its files. */
interface Program {
  readonly options: string
  readonly folders: readonly string[]
}

const PROGRAMS: Readonly<Record<string, Program>> = {
  parts: { options: 'tsconfig.json', folders: ['.', 'api', 'cli', 'dnsd', 'openapi'] },
  // Some of their files use the types of browsers, which the parts of the service must not see.
  'journeys and benchmarks': { options: 'tsconfig.json', folders: ['bench', 'e2e'] },
  screens: { options: 'tsconfig.screens.json', folders: ['admin', 'dashboard', 'theme'] },
}

const CACHE = 'node_modules/.cache/types'

/** The configuration of a folder. @throws Error when its options are not those of the program */
function configOf(folder: string, options: string): TypeScriptConfig {
  const config = JSON.parse(readFileSync(join(ROOT, folder, 'tsconfig.json'), 'utf8'))
  const isShared = folder === '.' || config.extends === `../${options}`
  if (!isShared || (folder !== '.' && config.compilerOptions !== undefined)) {
    throw new Error(`${folder}/tsconfig.json must only extend ../${options}`)
  }
  return config
}

/** Writes the configuration of a program. @returns its path */
function writeProgram(name: string, { options, folders }: Program): string {
  const configs = folders.map((folder) => ({ folder, config: configOf(folder, options) }))
  const filesOf = (part: 'include' | 'exclude') =>
    configs.flatMap(({ folder, config }) =>
      (config[part] ?? []).map((files) => join(ROOT, folder, files)),
    )
  const file = join(ROOT, CACHE, `${name.replaceAll(' ', '-')}.json`)
  mkdirSync(join(ROOT, CACHE), { recursive: true })
  const program: TypeScriptConfig = {
    extends: join(ROOT, options),
    include: filesOf('include'),
    exclude: filesOf('exclude'),
  }
  writeFileSync(file, JSON.stringify(program))
  return file
}

/**
 * One compiler run for each program. One checker each, because several compare the same types again, and another check uses
 * the second core.
 *
 * @param workspaces those with a `tsconfig.json`, each of which must belong to a program
 */
export function typeChecks(workspaces: readonly string[]): Check[] {
  const checked = Object.values(PROGRAMS).flatMap(({ folders }) => folders)
  const unchecked = workspaces.filter((workspace) => !checked.includes(workspace))
  if (unchecked.length > 0) throw new Error(`no program checks the types of ${unchecked.join()}`)
  return Object.entries(PROGRAMS).map(([name, program]) => ({
    name: `types: ${name}`,
    run: () =>
      commandCheck(name, 'tsc', '-p', writeProgram(name, program), '--checkers', '1').run(),
  }))
}
