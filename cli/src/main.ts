/** The entry point, which `bin/homing` starts. */
import './lib/surroundings.ts'
import { runCli } from './run.ts'

process.exitCode = await runCli(process.argv.slice(2))
