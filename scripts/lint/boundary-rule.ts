/** A lint rule about the imports of a folder. */
import type { OxlintOverride } from 'oxlint'

export interface Ban {
  /** Matches the text between the quotes of an import. */
  readonly regex: string
  /** Bans only these names of the module. */
  readonly importNames?: string[]
  /** The reason, and the alternative. */
  readonly message: string
}

export function rule(
  files: string[],
  bans: readonly Ban[],
  excludeFiles: string[] = [],
): OxlintOverride {
  return {
    files,
    excludeFiles,
    rules: { 'no-restricted-imports': ['error', { patterns: [...bans] }] },
  }
}

/** A path out of its folder into one of the given rooms (folders or files). */
export const into = (...rooms: string[]) => `^(\\.\\./)+(${rooms.join('|')})(/|\\.ts$|$)`

export const WORKSPACES = [
  'admin',
  'api',
  'bench',
  'cli',
  'dashboard',
  'dnsd',
  'e2e',
  'openapi',
  'theme',
]
export const others = (...mine: string[]) => WORKSPACES.filter((room) => !mine.includes(room))
export const TESTS = ['**/*.test.ts', '**/test-support.ts']

/** Bans imports of another workspace, by its name or by a path. */
export function nothingOfOurs(workspace: string): Ban[] {
  return ['^@homing/', into(...others(workspace), 'test', 'scripts')].map((regex) => ({
    regex,
    message: `${workspace} must not import other workspaces.`,
  }))
}
