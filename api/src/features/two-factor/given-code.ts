import type { GivenCode } from '../../credentials/second-factor-code.ts'
import { invalid } from '../../rules/errors.ts'

/** The fields of a body that contain a code. */
export interface CodeFields {
  readonly code?: string
  readonly recovery_code?: string
}

/** The same message for a wrong code and a used one, so that it discloses nothing about either. */
export const WRONG_CODE = 'This code is wrong or was already used.'

/** The code that was given. @throws Refusal `validation-failed` when there is no code, or there are two */
export function givenCode({ code, recovery_code: recoveryCode }: CodeFields): GivenCode {
  if (code !== undefined && recoveryCode === undefined) {
    return { kind: 'totp', text: code.replace(' ', '') }
  }
  if (recoveryCode !== undefined && code === undefined) {
    return { kind: 'recovery_code', text: recoveryCode }
  }
  throw invalid({ field: 'code', message: 'Send either code or recovery_code.' })
}

/** Not a 401: the session is valid, and clients discard their session on a 401. */
export const wrongCode = ({ kind }: GivenCode) =>
  invalid({ field: kind === 'totp' ? 'code' : 'recovery_code', message: WRONG_CODE })
