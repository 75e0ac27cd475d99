import * as Flags from '@oclif/core/flags'
import { BaseCommand } from './base-command.ts'
import type { Caller } from './lib/caller.ts'
import { type Account, type AccountFlags, accountFrom, isKeyIgnored } from './lib/credentials.ts'

const group = { helpGroup: 'ACCOUNT' } as const

export const serverFlags = {
  server: Flags.string({
    description: 'URL of the service; overrides HOMING_URL, the profile and http://localhost:8080',
    helpValue: 'URL',
    ...group,
  }),
  profile: Flags.string({
    description: 'the profile to use; overrides HOMING_PROFILE and "default"',
    helpValue: 'NAME',
    ...group,
  }),
}

/** A command that calls the service as an account. */
export abstract class AccountCommand extends BaseCommand {
  static override baseFlags = {
    ...BaseCommand.baseFlags,
    ...serverFlags,
    username: Flags.string({
      description: 'username or email address, for this command only',
      helpValue: 'NAME',
      dependsOn: ['password-file'],
      ...group,
    }),
    'password-file': Flags.string({
      description: 'file whose first line is the password; - for standard input',
      helpValue: 'FILE',
      dependsOn: ['username'],
      ...group,
    }),
  }

  #account: Account | undefined

  /** The account that flags, environment or profile name. @throws CommandFailure as `accountFrom` */
  protected async accountOf(flags: AccountFlags): Promise<Account> {
    if (this.#account === undefined && isKeyIgnored(flags)) {
      this.note('HOMING_API_KEY is ignored, because --profile is given.')
    }
    this.#account ??= await accountFrom(flags)
    return this.#account
  }

  /** Does the work as the account that flags, environment or profile name. @throws CommandFailure */
  protected async asCaller<T>(
    flags: AccountFlags,
    work: (caller: Caller) => Promise<T>,
  ): Promise<T> {
    const account = await this.accountOf(flags)
    const { asCaller } = await import('./lib/caller.ts')
    return asCaller(account, { trace: this.trace, asking: this.asking(flags) }, work)
  }
}
