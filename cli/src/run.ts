import type * as Interfaces from '@oclif/core/interfaces'
import { release } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import packageJson from '../package.json' with { type: 'json' }
import { COMPLETE, REFRESH_NAMES } from './completion/protocol.ts'
import { EXIT } from './lib/exit-codes.ts'
import { describeFailure } from './lib/failure.ts'
import { programIn } from './lib/program.ts'
import { secretRefusal } from './lib/secret-arguments.ts'
import { versionLine } from './lib/version.ts'

/** The folder of the package, or of its build. */
const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Runs one command line and returns its exit code. Errors go to stderr, with `--json` as a problem document. */
export async function runCli(argv: string[]): Promise<number> {
  try {
    if (argv[0] === COMPLETE || argv[0] === REFRESH_NAMES) return await runForCompletion(argv)
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

/** Answers a completion script, or renews the names that completion offers. Both are silent when something is wrong. */
async function runForCompletion([command, ...words]: string[]): Promise<number> {
  if (command === COMPLETE) {
    const { completionAnswer } = await import('./completion/answer.ts')
    const main = join(ROOT, 'src', import.meta.url.endsWith('.ts') ? 'main.ts' : 'main.js')
    process.stdout.write(await completionAnswer(words, { root: ROOT, main }))
  } else {
    const { refreshNames } = await import('./completion/names-refresh.ts')
    const [profile, server] = words
    const flags = { ...(profile && { profile }), ...(server && { server }) }
    await refreshNames(flags).catch(() => undefined)
  }
  return EXIT.ok
}

/** Runs a command or its help through oclif, whose loading takes most of the time of a short command. */
async function runCommand(argv: string[]): Promise<void> {
  const { settings } = await import('@oclif/core/settings')
  // Node runs the sources as they are; oclif must not compile them.
  settings.enableAutoTranspile = false
  const { run } = await import('@oclif/core/run')
  const pjson = packageJson as Interfaces.PJSON
  const program = programIn(ROOT, pjson)
  await run(argv, { root: program.root, plugins: new Map([[program.name, program]]) })
}
