/** The frame of every script: foreseen errors are one line on stderr and exit code 1, others show where they came from. */
import { NameError } from '@homing/dnsd/names'
import {
  ZoneFileRefused,
  ZoneNotExportable,
  ZoneNotImportable,
} from '../src/feed/zone-file/problems.ts'
import { NoDatabase } from '../src/stack/embedded-url.ts'

/** EX_USAGE of sysexits.h. */
const EXIT_USAGE = 64
const FORESEEN = [NoDatabase, ZoneFileRefused, ZoneNotExportable, ZoneNotImportable, NameError]

/** The command was called in a way that it does not know. */
export class UsageError extends Error {}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

/** Runs `main` and sets the exit code. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    process.exitCode = error instanceof UsageError ? EXIT_USAGE : 1
    const foreseen =
      error instanceof UsageError ||
      isSystemError(error) ||
      FORESEEN.some((kind) => error instanceof kind)
    const text =
      error instanceof Error && !foreseen
        ? (error.stack ?? error.message)
        : (error as Error).message
    process.stderr.write(`${text}\n`)
  }
}
