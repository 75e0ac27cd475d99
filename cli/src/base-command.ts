import { Command, Flags } from '@oclif/core'
import type { Credentials } from './lib/credentials.ts'
import { credentialsFrom } from './lib/credentials.ts'
import { EXIT } from './lib/exit-codes.ts'
import { CommandFailure } from './lib/failure.ts'

/** What all commands share: data on stdout, talk on stderr, `--json`, errors told in one place (`run.ts`). */
export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true

  protected override catch(error: Error): Promise<never> {
    // oclif would print it on stdout under --json, where only data belongs.
    return Promise.reject(error)
  }

  /** A line for the person, beside the data. */
  protected note(line: string): void {
    if (!this.jsonEnabled()) this.logToStderr(line)
  }
}

/** Where the service is and who calls, for commands that speak to it. */
export const accountFlags = {
  server: Flags.string({
    description: 'where the service is',
    env: 'HOMING_URL',
    default: 'http://localhost:8080',
    helpValue: 'URL',
    helpGroup: 'ACCOUNT',
  }),
  username: Flags.string({
    description: 'account name or e-mail address; an API key in HOMING_API_KEY goes without',
    helpValue: 'NAME',
    helpGroup: 'ACCOUNT',
    dependsOn: ['password-file'],
  }),
  'password-file': Flags.string({
    description: 'file whose first line is the password; - for standard input',
    helpValue: 'FILE',
    helpGroup: 'ACCOUNT',
    dependsOn: ['username'],
  }),
}

export interface Account {
  readonly server: string
  readonly credentials: Credentials
}

/** The account that the flags and the environment name. @throws CommandFailure when they do not */
export function accountFrom(flags: {
  readonly server: string
  readonly username?: string | undefined
  readonly 'password-file'?: string | undefined
}): Account {
  const url = URL.parse(flags.server)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new CommandFailure(
      EXIT.usage,
      `--server takes a URL such as https://dns.example.net; "${flags.server}" is none.`,
    )
  }
  return { server: url.origin, credentials: credentialsFrom(flags) }
}
