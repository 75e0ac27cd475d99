import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import {
  type components,
  FileFault,
  type FileRow,
  operationOf,
  rowsOf,
} from '@homing/openapi/client'
import { AccountCommand } from '../../account-command.ts'
import { bodyOf, listOf } from '../../lib/api.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure } from '../../lib/failure.ts'
import { textOfFile } from '../../lib/file-input.ts'
import type { ApiClient } from '../../lib/client.ts'
import { sendOnce } from '../../lib/once.ts'
import { type Listing, listed } from '../../lib/output.ts'
import { counted } from '../../lib/text.ts'

type Verdict = components['schemas']['BatchVerdict'] & { readonly line: number }

const refusedListing: Listing<Verdict> = {
  columns: [
    { title: 'LINE', of: ({ line }) => String(line) },
    { title: 'DOMAIN', of: ({ fqdn }) => fqdn ?? '' },
    { title: 'REASON', of: ({ detail = '' }) => detail },
  ],
  fields: ({ line, fqdn, code = '', detail = '' }) => [line, fqdn, code, detail],
}

const doneListing: Listing<Verdict> = {
  columns: [
    { title: 'DOMAIN', of: ({ fqdn }) => fqdn ?? '' },
    { title: 'OPERATION', of: ({ op }) => op },
  ],
  fields: ({ fqdn, op }) => [fqdn, op],
}

/** @throws CommandFailure that names the line */
function rowsOfFile(text: string): FileRow[] {
  try {
    return rowsOf(text)
  } catch (error) {
    if (error instanceof FileFault) throw new CommandFailure(EXIT.refused, error.message)
    throw error
  }
}

export default class DomainsImport extends AccountCommand {
  static override summary = 'Register and change domains from a CSV or JSON file.'
  static override description =
    'A domain that you have gets the addresses, tags and note of its row, and every other domain is registered. Either all rows are imported or nothing is changed. The columns are those of domains export; domain is required, and zone, ipv4, ipv6, tags and note are read. Columns that the file does not have stay as they are.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> domains.csv --dry-run',
    '<%= config.bin %> <%= command.id %> domains.json',
  ]
  static override jsonFields = ['line', 'op', 'ok', 'id', 'fqdn']
  static override args = {
    file: Args.string({
      description: 'the file, at most 500 domains; - for standard input',
      required: true,
    }),
  }
  static override flags = {
    'dry-run': Flags.boolean({
      description: 'check the file and change nothing',
      default: false,
    }),
  }

  async run() {
    const { args, flags } = await this.parse(DomainsImport)
    const isDryRun = flags['dry-run']
    const rows = rowsOfFile(await textOfFile(args.file))
    this.note(`${isDryRun ? 'Checking' : 'Importing'} ${counted(rows.length, 'domain')}.`)
    const verdicts = await this.asCaller(flags, async ({ api }) => this.#send(api, rows, isDryRun))
    this.print(await listed(verdicts, doneListing))
    const done = `${counted(verdicts.length, 'domain')}.`
    this.note(isDryRun ? `Nothing was changed. The rules allow ${done}` : `Imported ${done}`)
    return verdicts
  }

  async #send(api: ApiClient, rows: readonly FileRow[], isDryRun: boolean): Promise<Verdict[]> {
    const owned = listOf(await api.GET('/api/domains'), 'fqdn').map(({ fqdn }) => fqdn)
    const names = new Set(owned)
    const operations = rows.map((row) => operationOf(row, names))
    const body = { operations, dry_run: isDryRun }
    const answer = await sendOnce((headers) => api.POST('/api/domains/bulk', { body, headers }))
    const { code, verdicts } = answer.error ?? {}
    if (code === 'batch-refused') await this.#refuse(rows, verdicts ?? [])
    return withLines(rows, bodyOf(answer, 'verdicts').verdicts)
  }

  /** Prints the refused rows. @throws CommandFailure */
  async #refuse(rows: readonly FileRow[], verdicts: components['schemas']['BatchVerdict'][]) {
    const refused = withLines(rows, verdicts).filter(({ ok }) => !ok)
    if (!this.jsonEnabled()) {
      process.stderr.write(`${await listed(refused, refusedListing)}\n`)
    }
    const message = `Nothing was changed: ${counted(refused.length, 'line')} of ${rows.length} cannot be imported.`
    throw new CommandFailure(EXIT.refused, message, {
      code: 'batch-refused',
      detail: message,
      verdicts: refused,
    })
  }
}

/** Verdicts with the lines of the file; a verdict without a name gets that of its line. */
function withLines(
  rows: readonly FileRow[],
  verdicts: components['schemas']['BatchVerdict'][],
): Verdict[] {
  return verdicts.map((verdict) => {
    const { line = 0, domain } = rows[verdict.index] ?? {}
    return { ...verdict, line, fqdn: verdict.fqdn ?? domain ?? null }
  })
}
