/** Runs a script: an expected error is one line on stderr, any other shows its stack. Exit codes: 78 for the environment, 64 for the usage, else 1. */
import { NameError } from '@homing/dnsd/names'
import { DatabaseError } from 'pg'
import {
  NameRegisteredMeanwhile,
  ZoneFileRefused,
  ZoneNotExportable,
  ZoneNotImportable,
} from '../src/feed/zone-file/problems.ts'
import { ConfigError, EXIT_CONFIG } from '../src/config/config-error.ts'
import { NoDatabase } from '../src/config/database-url.ts'

/** EX_USAGE of sysexits.h. */
const EXIT_USAGE = 64
const FORESEEN = [
  ConfigError,
  NoDatabase,
  NameRegisteredMeanwhile,
  ZoneFileRefused,
  ZoneNotExportable,
  ZoneNotImportable,
  NameError,
]

/** The command was called in a way that it does not know. */
export class UsageError extends Error {}

/** What the command was to work on does not exist. */
export class NotThere extends Error {}

/** SQLSTATE 42P01: a relation does not exist. */
const UNDEFINED_TABLE = '42P01'
/** SQLSTATE classes of what is wrong with the server or the way to it: sign-in, database name, resources, shutdown. */
const SERVER_FAULTS = new Set(['08', '28', '3D', '53', '57'])

/** What to tell a person in one line; undefined for what nobody foresaw. */
function foreseen(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const isKnown = [UsageError, NotThere, ...FORESEEN].some((kind) => error instanceof kind)
  if (isKnown || 'syscall' in error) return error.message
  if (!(error instanceof DatabaseError)) return undefined
  if (error.code === UNDEFINED_TABLE) return `${error.message}: run \`npm run migrate\` first`
  return SERVER_FAULTS.has((error.code ?? '').slice(0, 2)) ? error.message : undefined
}

function exitCodeOf(error: unknown): number {
  if (error instanceof ConfigError) return EXIT_CONFIG
  return error instanceof UsageError ? EXIT_USAGE : 1
}

/** Runs `main` and sets the exit code. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    process.exitCode = exitCodeOf(error)
    const whole = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${foreseen(error) ?? whole}\n`)
  }
}
