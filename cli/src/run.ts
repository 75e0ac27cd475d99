import { type Interfaces, run } from '@oclif/core'
import { settings } from '@oclif/core/settings'
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import { EXIT } from './lib/exit-codes.ts'
import { describeFailure } from './lib/failure.ts'

/** Runs one command line and gives its exit code. What went wrong is on stderr, with `--json` as a problem document. */
export async function runCli(argv: string[]): Promise<number> {
  stopQuietlyWhenNobodyReads()
  // Sources are run as they are; nothing is to be looked for or compiled.
  settings.enableAutoTranspile = false
  try {
    await run(argv, {
      root: fileURLToPath(new URL('..', import.meta.url)),
      pjson: packageJson as Interfaces.PJSON,
    })
    return EXIT.ok
  } catch (error) {
    const failure = describeFailure(error)
    if (failure.message !== '') {
      const asJson = argv.includes('--json')
      process.stderr.write(asJson ? `${JSON.stringify(failure.problem)}\n` : `${failure.message}\n`)
    }
    return failure.exitCode
  }
}

/** `homing … | head`: a closed pipe is the reader's decision, not an error (exit 141, as a shell reports SIGPIPE). */
function stopQuietlyWhenNobodyReads(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(EXIT.closedPipe)
      throw error
    })
  }
}
