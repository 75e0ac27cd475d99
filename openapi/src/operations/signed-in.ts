import type { Operation } from '../operation.ts'
import { ref } from '../schema.ts'
import { SignedIn } from '../schemas/accounts.ts'
import { signedIn } from './examples.ts'

/** The responses of the last step of signing in, with a code or a passkey. */
export const lastStepOfSignIn = {
  success: {
    status: 200,
    description: 'Signed in.',
    schema: ref(SignedIn),
    example: signedIn,
  },
  problems: [
    'wrong-credentials',
    'sign-in-expired',
    'email-not-verified',
    'account-disabled',
    'cross-site',
  ],
} as const satisfies Pick<Operation, 'success' | 'problems'>
