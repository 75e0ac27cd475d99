/** The sources of a screen, so that it is rebuilt only when one of them changed. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Beside the screen's own files: its theme, its API client and its build tools. */
const SHARED = [
  'theme/*.{ts,json}',
  'theme/src/**',
  'openapi/package.json',
  'openapi/src/*.ts',
  'openapi/src/devices/*.ts',
  'package-lock.json',
  'tsconfig.screens.json',
  'scripts/screens/build.ts',
]
const OWN = ['*.{html,json,ts}', 'src/**', 'public/**']
const isTest = (file: string) => /\.test\.tsx?$/.test(file)

/** Whether the room can be built. */
export function isScreen(root: string, room: string): boolean {
  return existsSync(join(root, room, 'vite.config.ts'))
}

/** A digest of everything that the built screen depends on. It uses contents, because a copied tree has arbitrary times. */
export function sourcesDigest(root: string, room: string): string {
  const patterns = [...OWN.map((pattern) => `${room}/${pattern}`), ...SHARED]
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
