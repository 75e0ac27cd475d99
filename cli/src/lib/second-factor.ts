/** Codes that are asked for beside the password, or in its place. */
import { type components, typedCode } from '@homing/openapi/client'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { type Asking, askSecret, canAsk } from './prompts.ts'

export type SecondFactorMethod = components['schemas']['SecondFactorRequired']['methods'][number]

const NO_CODE =
  'This account signs in with a passkey, which takes a browser. Make an API key there, and give it to homing login --with-token.'

const NO_METHOD =
  'The second factor of this account can no longer be used: its passkeys were revoked and no recovery code is left. Ask the provider of the service to reset it.'

/**
 * A code of the second factor, from the person at the terminal.
 *
 * @param instead what gives it without a question
 * @throws CommandFailure when nobody is there to answer, or the account has no code that could be typed
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
      `This account wants a code of its second factor, and nobody is here to type it: ${instead}`,
    )
  }
  const message = hasApp ? 'Code of your authenticator app, or a recovery code' : 'Recovery code'
  return typedCode(await askSecret(asking, { message, instead }))
}
