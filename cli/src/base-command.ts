import { Command } from '@oclif/core/command'
import * as Flags from '@oclif/core/flags'
import type * as Interfaces from '@oclif/core/interfaces'
import { usage } from './lib/failure.ts'
import type { Asking } from './lib/prompts.ts'

/** Flags that every command takes and that mean the same everywhere. */
const globalFlags = {
  json: Flags.boolean({
    description: 'print JSON; --json=FIELD,FIELD prints these fields alone',
    helpGroup: 'GLOBAL',
  }),
  quiet: Flags.boolean({
    char: 'q',
    description: 'print data and errors and nothing else',
    helpGroup: 'GLOBAL',
  }),
  yes: Flags.boolean({
    char: 'y',
    description: 'answer yes to whether it should be done',
    helpGroup: 'GLOBAL',
  }),
  'no-input': Flags.boolean({
    description: 'ask nothing, as in a pipe and where CI is set',
    helpGroup: 'GLOBAL',
  }),
  debug: Flags.boolean({
    description: 'tell each call to the service on stderr, without secrets',
    helpGroup: 'GLOBAL',
  }),
}

/** What all commands share: data on stdout, talk on stderr, `--json`, errors told in one place (`run.ts`). */
export abstract class BaseCommand extends Command {
  static override baseFlags = globalFlags
  /** The fields of a result, or of each when there are several: all that `--json` prints, in this order. */
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

  /** @throws CommandFailure for a field that there is not: before anything is done */
  #chosenFields(list: string): readonly string[] {
    const known = (this.ctor as typeof BaseCommand).jsonFields
    const chosen = list.split(',').map((field) => field.trim())
    const unknown = chosen.find((field) => !known.includes(field))
    if (unknown === undefined) return chosen
    throw usage(`--json has no field "${unknown}". The fields are ${known.join(', ')}.`)
  }

  protected override catch(error: Error): Promise<never> {
    // oclif would print it on stdout under --json, where only data belongs.
    return Promise.reject(error)
  }

  override jsonEnabled(): boolean {
    const end = this.argv.indexOf('--')
    const at = this.argv.indexOf('--json')
    return at >= 0 && (end < 0 || at < end)
  }

  protected override toSuccessJson(result: unknown): unknown {
    const fields = this.#chosen ?? (this.ctor as typeof BaseCommand).jsonFields
    const picked = (item: object) =>
      Object.fromEntries(fields.map((field) => [field, item[field as keyof typeof item] ?? null]))
    return Array.isArray(result) ? result.map(picked) : picked(result as object)
  }

  protected override logJson(json: unknown): void {
    process.stdout.write(`${JSON.stringify(json, null, 2)}\n`)
  }

  /** Data, unless it is printed as JSON. */
  protected print(text: string): void {
    if (!this.jsonEnabled() && text !== '') process.stdout.write(`${text}\n`)
  }

  /** Lines for the person, beside the data: what is true now, and the command that may come next. */
  protected note(...lines: string[]): void {
    if (!this.jsonEnabled() && !this.#isQuiet) process.stderr.write(`${lines.join('\n')}\n`)
  }

  /** Where calls to the service are told; undefined without `--debug`. */
  protected get trace(): ((line: string) => void) | undefined {
    return this.#isDebug ? (line) => process.stderr.write(`${line}\n`) : undefined
  }

  protected asking(flags: { readonly 'no-input'?: boolean }): Asking {
    return { isForbidden: flags['no-input'] === true }
  }
}
