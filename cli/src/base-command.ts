import { Command } from '@oclif/core/command'
import * as Flags from '@oclif/core/flags'
import type * as Interfaces from '@oclif/core/interfaces'
import { usage } from './lib/failure.ts'
import type { Asking } from './lib/prompts.ts'

/** Flags that every command takes and that mean the same everywhere. */
const globalFlags = {
  json: Flags.boolean({
    description: 'print JSON; --json=FIELD,FIELD prints only these fields',
    helpGroup: 'GLOBAL',
  }),
  quiet: Flags.boolean({
    char: 'q',
    description: 'print only data and errors',
    helpGroup: 'GLOBAL',
  }),
  yes: Flags.boolean({
    char: 'y',
    description: 'answer yes to confirmations',
    helpGroup: 'GLOBAL',
  }),
  'no-input': Flags.boolean({
    description: 'never ask; prompts are also off in a pipe and if CI is set',
    helpGroup: 'GLOBAL',
  }),
  debug: Flags.boolean({
    description: 'log each call to the service on stderr, without secrets',
    helpGroup: 'GLOBAL',
  }),
}

/** What all commands share: data on stdout, messages on stderr, `--json`. `run.ts` reports their errors. */
export abstract class BaseCommand extends Command {
  static override baseFlags = globalFlags
  /** The fields that `--json` prints of a result, or of each result of a list, in this order. */
  static jsonFields: readonly string[] = []

  /** The fields that `--json=…` names. */
  #chosen: readonly string[] | undefined
  #isQuiet = false
  #isDebug = false

  protected override async init(): Promise<void> {
    await super.init()
    const end = this.argv.indexOf('--')
    const flags = end < 0 ? this.argv : this.argv.slice(0, end)
    const at = flags.findIndex((word) => word.startsWith('--json='))
    if (at < 0) return
    this.#chosen = this.#chosenFields(flags[at]?.slice('--json='.length) ?? '')
    this.argv[at] = '--json'
  }

  protected override async parse<
    F extends Record<string, unknown>,
    B extends Record<string, unknown>,
    A extends Record<string, unknown>,
  >(
    options?: Interfaces.Input<F, B, A>,
    argv?: string[],
  ): Promise<Interfaces.ParserOutput<F, B, A>> {
    const parsed = await super.parse(options, argv)
    const flags: Readonly<Record<string, unknown>> = parsed.flags
    this.#isQuiet = flags['quiet'] === true
    this.#isDebug = flags['debug'] === true
    return parsed
  }

  /** @throws CommandFailure for an unknown field, before the command does anything */
  #chosenFields(list: string): readonly string[] {
    const known = (this.ctor as typeof BaseCommand).jsonFields
    const chosen = list.split(',').map((field) => field.trim())
    const unknown = chosen.find((field) => !known.includes(field))
    if (unknown === undefined) return chosen
    throw usage(`--json has no field "${unknown}". The fields are ${known.join(', ')}.`)
  }

  protected override catch(error: Error): Promise<never> {
    // With --json, oclif would print it on stdout, which is only for data.
    return Promise.reject(error)
  }

  /** The fields that `--json` prints. For a command whose flag selects another kind of result. */
  protected get usualFields(): readonly string[] {
    return (this.ctor as typeof BaseCommand).jsonFields
  }

  override jsonEnabled(): boolean {
    const end = this.argv.indexOf('--')
    const at = this.argv.indexOf('--json')
    return at >= 0 && (end < 0 || at < end)
  }

  protected override toSuccessJson(result: unknown): unknown {
    const fields = this.#chosen ?? this.usualFields
    const picked = (item: object) =>
      Object.fromEntries(fields.map((field) => [field, item[field as keyof typeof item] ?? null]))
    return Array.isArray(result) ? result.map(picked) : picked(result as object)
  }

  protected override logJson(json: unknown): void {
    process.stdout.write(`${JSON.stringify(json, null, 2)}\n`)
  }

  /** Prints data, unless the result is printed as JSON. */
  protected print(text: string): void {
    if (!this.jsonEnabled() && text !== '') process.stdout.write(`${text}\n`)
  }

  /** Prints messages for the user: the new state, and a command to run next. */
  protected note(...lines: string[]): void {
    if (!this.jsonEnabled() && !this.#isQuiet) process.stderr.write(`${lines.join('\n')}\n`)
  }

  /** Says on a terminal what a command waits for, and removes it afterwards. */
  protected async whileSaying<T>(text: string, work: () => Promise<T>): Promise<T> {
    const { stderr } = process
    const isShown = stderr.isTTY && !this.jsonEnabled() && !this.#isQuiet && !this.#isDebug
    if (!isShown) return work()
    // A line that wraps could not be erased.
    stderr.write(text.length < stderr.columns ? text : `${text.slice(0, stderr.columns - 2)}…`)
    try {
      return await work()
    } finally {
      // Back to the start of the line, and erase it.
      stderr.write('\r\u001B[K')
    }
  }

  /** Logs calls to the service; undefined without `--debug`. */
  protected get trace(): ((line: string) => void) | undefined {
    return this.#isDebug ? (line) => process.stderr.write(`${line}\n`) : undefined
  }

  protected asking(flags: { readonly 'no-input'?: boolean }): Asking {
    return { isForbidden: flags['no-input'] === true }
  }
}
