import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { ApiClient } from '../../lib/client.ts'
import { AccountCommand } from '../../account-command.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure, usage } from '../../lib/failure.ts'
import { textOfFile } from '../../lib/file-input.ts'
import { facts, listed } from '../../lib/output.ts'
import { importRecords } from '../../lib/record-calls.ts'
import { findPlace, type Place, placeArgument, placeFlags } from '../../lib/record-places.ts'
import { requireLeave } from '../../lib/removal.ts'
import { counted } from '../../lib/text.ts'
import {
  countFacts,
  IMPORT_FIELDS,
  problemListing,
  type ZoneFileResult,
} from '../../lib/zone-file-result.ts'

export default class RecordsImport extends AccountCommand {
  static override summary = 'Import records from a zone file.'
  static override description =
    'The file is checked first. Either all of its records are imported or nothing is changed; wrong lines are listed with their numbers. Names are relative to the domain or zone. The SOA record, the NS records of the zone itself and the addresses of domains are left out. In a pipe, each listed line has line number, "left out" or "error", owner, type and reason, on stderr.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> home.example.net records.zone --dry-run',
    '<%= config.bin %> <%= command.id %> example.com records.zone --replace',
    'From standard input\necho \'@ TXT "v=spf1 -all"\' | <%= config.bin %> <%= command.id %> home -',
  ]
  static override jsonFields = IMPORT_FIELDS
  static override args = {
    name: placeArgument,
    file: Args.string({ description: 'the zone file; - for standard input', required: true }),
  }
  static override flags = {
    replace: Flags.boolean({
      description: 'delete the records that the file does not have',
      default: false,
    }),
    'dry-run': Flags.boolean({
      description: 'check the file and change nothing',
      default: false,
    }),
    ...placeFlags,
  }

  async run() {
    const { args, flags } = await this.parse(RecordsImport)
    const { replace, 'dry-run': isDryRun } = flags
    const text = await textOfFile(args.file)
    if (text === '') throw new CommandFailure(EXIT.refused, 'The file is empty.')
    const result = await this.asCaller(flags, async ({ api }) => {
      const place = await findPlace(api, args.name, flags)
      const plan = await this.#send(api, place, { text, replace, dry_run: true })
      await this.#list(plan)
      if (isDryRun) return plan
      if (plan.deleted > 0) {
        const what = `${counted(plan.deleted, 'record')} of ${place.name} that the file does not have`
        if (args.file === '-' && !flags.yes) {
          throw usage(
            `Standard input is the file, so nothing can be asked. Give --yes to delete ${what}.`,
          )
        }
        await requireLeave(this.asking(flags), flags, `Delete ${what}?`)
      }
      const done = await this.#send(api, place, { text, replace })
      if (!done.applied) throw new CommandFailure(EXIT.failed, 'Nothing was changed. Try again.')
      return done
    })
    this.print(facts(countFacts(result)))
    this.note(isDryRun ? 'Nothing was changed. The rules allow the file.' : 'Imported.')
    return result
  }

  /** @throws CommandFailure if a line of the file is wrong */
  async #send(
    api: ApiClient,
    place: Place,
    body: Parameters<typeof importRecords>[2],
  ): Promise<ZoneFileResult> {
    const result = await this.whileSaying('Reading the zone file…', () =>
      importRecords(api, place, body),
    )
    if (result.problems.every(({ is_skipped }) => is_skipped)) return result
    // Errors, which --quiet does not hide.
    await this.#list(result, (text) => process.stderr.write(`${text}\n`))
    const message = `Nothing was changed: ${wrongLines(result)} cannot be imported.`
    throw new CommandFailure(EXIT.refused, message, { detail: message, problems: result.problems })
  }

  /** Prints the lines that are wrong or left out. */
  async #list(
    { problems, problem_count }: ZoneFileResult,
    write: (text: string) => void = (text) => this.note(text),
  ): Promise<void> {
    if (this.jsonEnabled() || problems.length === 0) return
    write(await listed(problems, problemListing))
    const more = problem_count - problems.length
    if (more > 0) write(`${counted(more, 'more line')} not listed.`)
  }
}

/** The listed problems are the first ones, so their number is at least that of the wrong lines among them. */
function wrongLines({ problems, problem_count }: ZoneFileResult): string {
  const wrong = problems.filter(({ is_skipped }) => !is_skipped).length
  return problem_count > problems.length ? 'some lines' : counted(wrong, 'line')
}
