import * as Flags from '@oclif/core/flags'
import { EXPORT_FIELDS } from '@homing/openapi/client'
import { writeFile } from 'node:fs/promises'
import { AccountCommand } from '../../account-command.ts'
import { succeeded } from '../../lib/api.ts'
import { EXIT } from '../../lib/exit-codes.ts'
import { CommandFailure } from '../../lib/failure.ts'

export default class DomainsExport extends AccountCommand {
  static override summary = 'Write your domains to a CSV or JSON file.'
  static override description =
    'The file has one row for each domain, without wildcards. Import it again with: <%= config.bin %> domains import FILE'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --output domains.csv',
    '<%= config.bin %> <%= command.id %> --format json',
  ]
  static override jsonFields = EXPORT_FIELDS
  static override flags = {
    format: Flags.option({
      description: 'the form of the file',
      options: ['csv', 'json'] as const,
      default: 'csv',
    })(),
    output: Flags.string({
      description: 'the file to write; default: stdout',
      helpValue: 'FILE',
      exclusive: ['json'],
    }),
  }

  async run(): Promise<unknown> {
    const { flags } = await this.parse(DomainsExport)
    const format = this.jsonEnabled() ? 'json' : flags.format
    const text = await this.asCaller(flags, async ({ api }) => {
      const params = { query: { format } }
      const answer = await api.GET('/api/domains/export', { params, parseAs: 'text' })
      succeeded(answer)
      return String(answer.data)
    })
    if (flags.output === undefined) this.print(text.trimEnd())
    else await this.#write(flags.output, text)
    return format === 'json' ? JSON.parse(text) : undefined
  }

  async #write(file: string, text: string): Promise<void> {
    try {
      await writeFile(file, text)
    } catch (error) {
      const { message } = error as Error
      throw new CommandFailure(EXIT.failed, `The file cannot be written: ${message}.`)
    }
    this.note(`Written: ${file}`)
  }
}
