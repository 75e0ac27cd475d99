/**
 * Runs a script: an expected error is one line on stderr, any other error is printed with its stack. The exit code is
 * 64 for invalid arguments, 78 for an invalid environment and 1 for everything else.
 */
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
import { ProviderTrouble } from '../src/payments/provider.ts'
import { isProvisioningFault } from '../src/provisioning/faults.ts'

/** EX_USAGE of sysexits.h. */
const EXIT_USAGE = 64
const FORESEEN = [
  NoDatabase,
  NameRegisteredMeanwhile,
  ZoneFileRefused,
  ZoneNotExportable,
  ZoneNotImportable,
  NameError,
  ProviderTrouble,
]

/** The command's arguments are invalid. */
export class UsageError extends Error {}

/** The object of the command does not exist. */
export class NotThere extends Error {}

/** SQLSTATE 42P01: a relation does not exist. */
const UNDEFINED_TABLE = '42P01'
/** SQLSTATE classes of errors of the server or its connection: sign-in, database name, resources, shutdown. */
const SERVER_FAULTS = new Set(['08', '28', '3D', '53', '57'])

const isEnvironmentFault = (error: unknown): boolean =>
  error instanceof ConfigError || isProvisioningFault(error)

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT_USAGE
  return isEnvironmentFault(error) ? EXIT_CONFIG : 1
}

/** A one-line message for the user; undefined for an unexpected error. */
function foreseen(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const isKnown = [UsageError, NotThere, ...FORESEEN].some((kind) => error instanceof kind)
  if (isKnown || isEnvironmentFault(error) || 'syscall' in error) return error.message
  if (!(error instanceof DatabaseError)) return undefined
  if (error.code === UNDEFINED_TABLE) return `${error.message}: run \`npm run migrate\` first`
  return SERVER_FAULTS.has((error.code ?? '').slice(0, 2)) ? error.message : undefined
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
