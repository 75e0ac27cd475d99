/** The sources of a screen or of the CLI, so that it is rebuilt only when one of them changed. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What every build depends on. */
const TOOLS = ['package-lock.json', 'scripts/builds/build.ts']
/** Beside the screen's own files: its theme, its API client and its build tools. */
const SCREEN = [
  'theme/*.{ts,json}',
  'theme/src/**',
  'openapi/package.json',
  'openapi/src/*.ts',
  'openapi/src/devices/*.ts',
  'tsconfig.screens.json',
  'scripts/builds/{screen,compress}.ts',
]
const OWN_OF_SCREEN = ['*.{html,json,ts}', 'src/**', 'public/**']
/** Beside the program's own files: its API client and its DNS client. */
const PROGRAM = [
  'openapi/package.json',
  'openapi/src/*.ts',
  'dnsd/package.json',
  'dnsd/src/{names,client}/**',
]
const OWN_OF_PROGRAM = ['{package,oclif.manifest}.json', 'src/**', 'scripts/bundle.ts']
const isTest = (file: string) => /\.test\.tsx?$/.test(file)

/** The script that bundles a room, relative to the project's root. */
export const bundlerOf = (room: string): string => `${room}/scripts/bundle.ts`

/** Whether the room can be built. */
export const isBuilt = (root: string, room: string): boolean =>
  isScreen(root, room) || existsSync(join(root, bundlerOf(room)))

/** Whether Vite builds the room. */
export function isScreen(root: string, room: string): boolean {
  return existsSync(join(root, room, 'vite.config.ts'))
}

/** A digest of everything that the build of a room depends on. It uses contents, because a copied tree has arbitrary times. */
export function sourcesDigest(root: string, room: string): string {
  const [own, shared] = isScreen(root, room) ? [OWN_OF_SCREEN, SCREEN] : [OWN_OF_PROGRAM, PROGRAM]
  const patterns = [...own.map((pattern) => `${room}/${pattern}`), ...shared, ...TOOLS]
  const files = patterns
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => !isTest(file) && statSync(join(root, file)).isFile())
  const digest = createHash('sha256')
  for (const file of [...new Set(files)].sort()) {
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return digest.digest('hex')
}
