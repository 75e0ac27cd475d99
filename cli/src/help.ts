/** oclif's help, with pages about what all commands share. */
import type { Command } from '@oclif/core/command'
import { CommandHelp, Help } from '@oclif/core/help'
import { argumentLabel } from './lib/argument-label.ts'
import { EXIT_MEANINGS } from './lib/exit-codes.ts'
import { HELP_PAGES } from './lib/help-pages.ts'

const ENVIRONMENT = [
  ['HOMING_URL', 'URL of the service'],
  ['HOMING_API_KEY', 'API key; overrides the profile'],
  ['HOMING_PROFILE', 'the profile to use'],
  ['XDG_CONFIG_HOME', 'folder for sign-ins, in homing/profiles; ~/.config if unset'],
  ['XDG_CACHE_HOME', 'folder for the names that completion offers, in homing; ~/.cache if unset'],
  ['HTTPS_PROXY, HTTP_PROXY', 'URL of the proxy for https servers, and for http servers'],
  ['NO_PROXY', 'servers that are called without a proxy'],
  ['NODE_EXTRA_CA_CERTS', 'file with the certificate of your own certificate authority'],
  ['NODE_USE_SYSTEM_CA', '1 trusts the certificate authorities of the operating system'],
  ['NO_COLOR', 'any value turns off bold text'],
  ['FORCE_COLOR', 'bold text in help, also where it is not a terminal; NO_COLOR has priority'],
  ['DISPLAY, WAYLAND_DISPLAY', 'without either, no browser opens and URLs are only printed'],
  ['CI', 'any value turns off prompts'],
] as const

type Pairs = readonly (readonly [string, string])[]

const CONTENTS: Readonly<Record<keyof typeof HELP_PAGES, Pairs>> = {
  'exit-codes': EXIT_MEANINGS.map(([code, meaning]) => [String(code), meaning]),
  environment: ENVIRONMENT,
}
const isPage = (word: string): word is keyof typeof HELP_PAGES => Object.hasOwn(HELP_PAGES, word)

/** What a new user does first. */
const FIRST_STEPS = [
  '$ homing login --server https://dns.example.net',
  '$ homing domains add home',
  '$ homing update home',
]

const MORE = 'Arguments, flags and examples of a command.'

class CompactCommandHelp extends CommandHelp {
  /** Leaves out the flags that every command has: they would hide its own flags, and are listed below. */
  protected override usage(): string {
    const { flags, args } = this.command
    this.command.flags = Object.fromEntries(
      Object.entries(flags).filter(([, { helpGroup }]) => helpGroup === undefined),
    )
    this.command.args = Object.fromEntries(
      Object.entries(args).map(([key, arg]) => [key, this.labelled(arg)]),
    )
    const usage = super.usage()
    Object.assign(this.command, { flags, args })
    return usage
  }

  protected override args(args: Command.Arg.Any[]): [string, string | undefined][] | undefined {
    return super.args(args.map((arg) => this.labelled(arg)))
  }

  private labelled(arg: Command.Arg.Any): Command.Arg.Any {
    return { ...arg, name: argumentLabel(this.command.id, arg.name) }
  }

  /** The summary is at the top already. */
  protected override description(): string | undefined {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(description)
  }
}

export default class HomingHelp extends Help {
  protected override CommandHelpClass = CompactCommandHelp

  override async showHelp(argv: string[]): Promise<void> {
    const [page = ''] = argv.filter((word) => word !== 'help' && !word.startsWith('-'))
    if (!isPage(page)) return super.showHelp(argv)
    this.log(HELP_PAGES[page])
    this.log('')
    this.log(this.pairs(CONTENTS[page]))
  }

  /** Lists all commands, including those of topics. */
  protected override async showRootHelp(): Promise<void> {
    const commands = this.sortedCommands
      .filter(({ id, aliases }) => !aliases.includes(id))
      .map(
        ({ id, summary, description = '' }) =>
          [id.replaceAll(':', ' '), this.render(summary ?? description)] as const,
      )
    const pages = Object.entries(HELP_PAGES).map(
      ([name, about]) => [`help ${name}`, about] as const,
    )
    this.log(this.config.pjson.description ?? '')
    this.log('')
    this.log(this.section('USAGE', '$ homing COMMAND'))
    this.log('')
    this.log(this.section('EXAMPLES', FIRST_STEPS.join('\n')))
    this.log('')
    this.log(this.section('COMMANDS', this.pairs(commands)))
    this.log('')
    this.log(this.section('MORE', this.pairs([['COMMAND --help', MORE], ...pages])))
  }

  private pairs(lines: Pairs): string {
    return this.renderList(
      lines.map(([word, meaning]) => [word, meaning]),
      { indentation: 2, spacer: '\n' },
    )
  }
}
