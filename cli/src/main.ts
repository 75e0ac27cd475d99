/** The entry. Loads nothing before the compile cache is on: starting is most of what a short command does. */
import { enableCompileCache } from 'node:module'

enableCompileCache()
const { runCli } = await import('./run.ts')
process.exitCode = await runCli(process.argv.slice(2))
