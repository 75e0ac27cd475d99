import type { GivenCode } from '../../credentials/second-factor-code.ts'
import { invalid } from '../../rules/errors.ts'

/** A code, as bodies carry it. */
export interface CodeFields {
  readonly code?: string
  readonly recovery_code?: string
}

/** The same for a code that is wrong and one that was used: it tells nothing about either. */
export const WRONG_CODE = 'This code is wrong or was already used.'

/** The one code that was given. @throws Refusal `validation-failed` when there is none, or there are two */
export function givenCode({ code, recovery_code: recoveryCode }: CodeFields): GivenCode {
  if (code !== undefined && recoveryCode === undefined) {
    return { kind: 'totp', text: code.replace(' ', '') }
  }
  if (recoveryCode !== undefined && code === undefined) {
    return { kind: 'recovery_code', text: recoveryCode }
  }
  throw invalid({ field: 'code', message: 'Send either code or recovery_code.' })
}

/** No 401: the session is right, and clients forget it at one. */
export const wrongCode = ({ kind }: GivenCode) =>
  invalid({ field: kind === 'totp' ? 'code' : 'recovery_code', message: WRONG_CODE })
