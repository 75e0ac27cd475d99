import * as Args from '@oclif/core/args'
import { basename } from 'node:path'
import { BaseCommand } from '../base-command.ts'
import { completionScript, type Shell, SHELLS } from '../completion/scripts.ts'
import { usage } from '../lib/failure.ts'

export default class Completion extends BaseCommand {
  static override summary = 'Print the script with which a shell completes commands and names.'
  static override description =
    'Load the script when the shell starts. In zsh, load it after compinit, or write it to a file _homing in a folder of fpath. Then the Tab key completes commands, flags, their values, your domains and your own zones. The names come from a cache that is renewed in the background after 60 seconds; Tab never waits for the service.'
  static override examples = [
    'In ~/.bashrc\nsource <(<%= config.bin %> <%= command.id %> bash)',
    'In ~/.zshrc, after compinit\nsource <(<%= config.bin %> <%= command.id %> zsh)',
    'For fish, once\n<%= config.bin %> <%= command.id %> fish > ~/.config/fish/completions/homing.fish',
  ]
  static override jsonFields = ['shell', 'script']
  static override args = {
    shell: Args.string({ description: 'the shell; default: the one in $SHELL', options: SHELLS }),
  }

  async run() {
    const { args } = await this.parse(Completion)
    const shell = shellOf(args.shell ?? basename(process.env['SHELL'] ?? ''))
    const script = completionScript(shell)
    this.print(script.trimEnd())
    return { shell, script }
  }
}

/** @throws CommandFailure for a shell that has no script */
function shellOf(name: string): Shell {
  const found = SHELLS.find((shell) => shell === name)
  if (found !== undefined) return found
  const what = name === '' ? 'SHELL is not set' : `There is no completion script for "${name}"`
  throw usage(`${what}. Give bash, zsh or fish, such as homing completion bash.`)
}
