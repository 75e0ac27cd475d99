/** The help of oclif, with what every command has in common. */
import { CommandHelp, Help } from '@oclif/core/help'
import { EXIT_MEANINGS } from './lib/exit-codes.ts'

const ENVIRONMENT = [
  ['HOMING_URL', 'where the service is'],
  ['HOMING_API_KEY', 'an API key to call with; before the profile'],
  ['HOMING_PROFILE', 'which of your sign-ins'],
  ['XDG_CONFIG_HOME', 'where sign-ins are kept, below homing/profiles; ~/.config when unset'],
  ['HTTPS_PROXY, HTTP_PROXY', 'URL of the proxy for calls by https, and for calls by http'],
  ['NO_PROXY', 'servers that are called without a proxy'],
  ['NODE_EXTRA_CA_CERTS', 'file with the certificate of your own certificate authority'],
  ['NO_COLOR', 'set to anything: no bold text'],
  ['CI', 'set to anything: no questions'],
] as const

/** Pages that are about no command. */
const PAGES: Readonly<Record<string, readonly [string, readonly (readonly [string, string])[]]>> = {
  'exit-codes': [
    'How a command tells a script what became of it.',
    EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
  ],
  environment: ['What is read from the environment.', ENVIRONMENT],
}

const MORE = 'Arguments, flags and examples of a command.'

class CompactCommandHelp extends CommandHelp {
  /** Without the flags that every command has: they would hide what this one takes, and are listed below. */
  protected override usage(): string {
    const all = this.command.flags
    this.command.flags = Object.fromEntries(
      Object.entries(all).filter(([, { helpGroup }]) => helpGroup === undefined),
    )
    const usage = super.usage()
    this.command.flags = all
    return usage
  }

  /** The summary stands at the top already. */
  protected override description(): string | undefined {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(description)
  }
}

export default class HomingHelp extends Help {
  protected override CommandHelpClass = CompactCommandHelp

  override async showHelp(argv: string[]): Promise<void> {
    const [page] = argv.filter((word) => word !== 'help' && !word.startsWith('-'))
    const content = PAGES[page ?? '']
    if (content === undefined) return super.showHelp(argv)
    const [summary, lines] = content
    this.log(summary)
    this.log('')
    this.log(this.pairs(lines))
  }

  /** All commands at a glance, those of topics too. */
  protected override async showRootHelp(): Promise<void> {
    const commands = this.sortedCommands.map(
      ({ id, summary, description = '' }) =>
        [id.replaceAll(':', ' '), this.render(summary ?? description)] as const,
    )
    const pages = Object.entries(PAGES).map(([name, [about]]) => [`help ${name}`, about] as const)
    this.log(this.config.pjson.description ?? '')
    this.log('')
    this.log(this.section('USAGE', '$ homing COMMAND'))
    this.log('')
    this.log(this.section('COMMANDS', this.pairs(commands)))
    this.log('')
    this.log(this.section('MORE', this.pairs([['COMMAND --help', MORE], ...pages])))
  }

  private pairs(lines: readonly (readonly [string, string])[]): string {
    return this.renderList(
      lines.map(([word, meaning]) => [word, meaning]),
      { indentation: 2, spacer: '\n' },
    )
  }
}
