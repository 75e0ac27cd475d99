/** The entry point, which `bin/homing` starts. */
import './lib/surroundings.ts'
import { stopQuietly } from './lib/quiet-end.ts'
import { runCli } from './run.ts'

stopQuietly()
process.exitCode = await runCli(process.argv.slice(2))
