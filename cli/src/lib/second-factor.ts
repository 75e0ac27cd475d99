/** Codes of a second factor, beside the password or instead of it. */
import { type components, typedCode } from '@homing/openapi/client'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { type Asking, askSecret, canAsk } from './prompts.ts'

export type SecondFactorMethod = components['schemas']['SecondFactorRequired']['methods'][number]

const NO_CODE =
  'This account signs in with a passkey, which needs a browser. Create an API key there, and pass it to homing login --with-token.'

const NO_METHOD =
  'The second factor of this account can no longer be used: its passkeys were revoked and no recovery code is left. Ask the provider of the service to reset it.'

/**
 * Asks at the terminal for a code of the second factor.
 *
 * @param instead how to give it without a prompt
 * @throws CommandFailure when prompts are not possible, or the account has no codes to type
 */
export async function askFactorCode(
  asking: Asking,
  methods: readonly SecondFactorMethod[],
  instead: string,
): Promise<ReturnType<typeof typedCode>> {
  if (methods.length === 0) throw new CommandFailure(EXIT.auth, NO_METHOD)
  const hasApp = methods.includes('totp')
  if (!hasApp && !methods.includes('recovery_code')) throw new CommandFailure(EXIT.auth, NO_CODE)
  if (!canAsk(asking)) {
    throw new CommandFailure(
      EXIT.auth,
      `This account requires a code of its second factor, and prompts are off: ${instead}.`,
    )
  }
  const message = hasApp ? 'Code of your authenticator app, or a recovery code' : 'Recovery code'
  return typedCode(await askSecret(asking, { message, instead }))
}
