import * as Args from '@oclif/core/args'
import { BaseCommand } from '../base-command.ts'

export default class HelpCommand extends BaseCommand {
  static override summary = 'Show help for a command, exit codes or the environment.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> domains add',
    '<%= config.bin %> <%= command.id %> exit-codes',
    '<%= config.bin %> <%= command.id %> environment',
  ]
  static override args = {
    words: Args.string({
      description: 'a command, exit-codes or environment',
      multiple: true,
    }),
  }

  async run() {
    const { args } = await this.parse(HelpCommand)
    const { default: HomingHelp } = await import('../help.ts')
    await new HomingHelp(this.config).showHelp(args.words ?? [])
  }
}
