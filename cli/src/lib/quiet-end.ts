/** The end of the process from outside: a closed pipe, a full disk, Ctrl-C. */
import { EXIT } from './exit-codes.ts'

/**
 * `homing … | head`: a closed pipe is not an error; a full disk is. Ctrl-C ends the command; during a
 * prompt, the prompt receives it instead.
 */
export function stopQuietly(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(EXIT.closedPipe)
      if (stream === process.stdout) {
        process.stderr.write(`The output cannot be written: ${error.message}\n`)
      }
      process.exit(EXIT.failed)
    })
  }
  process.on('SIGINT', () => process.exit(EXIT.interrupted))
}
