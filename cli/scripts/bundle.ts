/**
 * Builds the program into the folder that is the only argument: few files instead of a few hundred, because each file that Node loads takes time.
 * The folder has the layout of the package (`src/main.js`, `oclif.manifest.json`), so that the code finds its files in both.
 *
 * Comments with licences are kept. Libraries that few commands load are not included; they stay in `node_modules`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CodeSplittingGroup, rolldown } from 'rolldown'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAIN = join(ROOT, 'src/main.ts')
const COMPLETION = join(ROOT, 'src/completion/answer.ts')
const EXTERNAL = [/^altcha-lib(?:\/|$)/, 'inquirer', 'undici', /oclif\.manifest\.json$/]
/** A module that this many commands load is worth loading for all of them. */
const COMMON_COMMANDS = 40

type ChunkContext = Parameters<Exclude<CodeSplittingGroup['name'], string>>[1]

/** The modules that a module imports, and their imports. For main, `--version` loads nothing else. */
function modulesOf(entry: string, context: ChunkContext): Set<string> {
  const found = new Set([entry])
  for (const id of found) {
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported)
  }
  return found
}

/** A file with what `entry` imports. */
function fileOf(name: string, entry: string, priority: number): CodeSplittingGroup {
  let modules: Set<string> | undefined
  return {
    debugName: name,
    name(id, context) {
      modules ??= modulesOf(entry, context)
      return modules.has(id) ? name : null
    },
    minShareCount: 2,
    priority,
  }
}

/** The first group that takes a module has it. */
const GROUPS: CodeSplittingGroup[] = [
  fileOf('start', MAIN, 2),
  // Tab must not load what commands share: oclif is a part of that.
  fileOf('completion', COMPLETION, 1),
  { name: 'common', minShareCount: COMMON_COMMANDS },
]

/** Node reads a file of ASCII alone in a fraction of the time. Only literals have other characters, and there an escape means the same. */
const inAscii = (code: string): string =>
  code.replaceAll(
    /[\u0080-\uFFFF]/g,
    (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0'),
  )

async function bundle(folder: string): Promise<void> {
  const files = globSync('src/{main,run,help,commands/**/*}.ts', { cwd: ROOT })
  const entry = (file: string) => [file.replace(/^src\/|\.ts$/g, ''), join(ROOT, file)]
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(files.map(entry)),
    platform: 'node',
    external: EXTERNAL,
    makeAbsoluteExternalsRelative: true,
  })
  await build.write({
    dir: folder,
    entryFileNames: 'src/[name].js',
    chunkFileNames: 'src/[name].js',
    codeSplitting: { groups: GROUPS },
    comments: { legal: true, jsdoc: false, annotation: false },
  })
  await build.close()
  for (const file of globSync('src/**/*.js', { cwd: folder })) {
    const path = join(folder, file)
    writeFileSync(path, inAscii(readFileSync(path, 'utf8')))
  }
  const manifest = readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')
  writeFileSync(
    join(folder, 'oclif.manifest.json'),
    manifest.replaceAll(/("relativePath":\[[^\]]*)\.ts"\]/g, '$1.js"]'),
  )
}

const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('Expected the folder for the build.')
await bundle(resolve(folder))
