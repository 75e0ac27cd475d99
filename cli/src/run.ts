import type * as Interfaces from '@oclif/core/interfaces'
import { release } from 'node:os'
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import { EXIT } from './lib/exit-codes.ts'
import { describeFailure } from './lib/failure.ts'
import { programIn } from './lib/program.ts'
import { secretRefusal } from './lib/secret-arguments.ts'
import { versionLine } from './lib/version.ts'

/** Runs one command line and returns its exit code. Errors go to stderr, with `--json` as a problem document. */
export async function runCli(argv: string[]): Promise<number> {
  try {
    const refusal = secretRefusal(argv)
    if (refusal !== undefined) throw refusal
    const version = argv[0] === '--version' ? versionLine(release()) : undefined
    if (version === undefined) await runCommand(argv)
    else process.stdout.write(`${version}\n`)
    return EXIT.ok
  } catch (error) {
    const { explainMistake } = await import('./lib/mistakes.ts')
    const failure = describeFailure(explainMistake(error))
    if (failure.message !== '') {
      const asJson = argv.some((word) => /^--json(=|$)/.test(word))
      process.stderr.write(asJson ? `${JSON.stringify(failure.problem)}\n` : `${failure.message}\n`)
      if (argv.includes('--debug')) process.stderr.write(`${(error as Error).stack}\n`)
    }
    return failure.exitCode
  }
}

/** Runs a command or its help through oclif, whose loading takes most of the time of a short command. */
async function runCommand(argv: string[]): Promise<void> {
  const { settings } = await import('@oclif/core/settings')
  // Node runs the sources as they are; oclif must not compile them.
  settings.enableAutoTranspile = false
  const { run } = await import('@oclif/core/run')
  const pjson = packageJson as Interfaces.PJSON
  const program = programIn(fileURLToPath(new URL('..', import.meta.url)), pjson)
  await run(argv, { root: program.root, plugins: new Map([[program.name, program]]) })
}
