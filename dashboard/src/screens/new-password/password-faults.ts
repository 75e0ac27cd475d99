/** What is wrong with a new password and its repetition. */
const MINIMUM_LENGTH = 8

export const INCOMPLETE = 'Please fill in all fields'

export interface PasswordFault {
  readonly field: 'new_password' | 'repeated_password'
  readonly message: string
}

/** The fault in two passwords that were both typed; undefined if they can be sent. */
export function faultInNewPassword(password: string, repeated: string): PasswordFault | undefined {
  // Characters, as the service counts them, and not UTF-16 units.
  if (Array.from(password).length < MINIMUM_LENGTH) {
    const message = `Password must be at least ${MINIMUM_LENGTH} characters long`
    return { field: 'new_password', message }
  }
  if (password === repeated) return undefined
  return { field: 'repeated_password', message: 'Passwords do not match' }
}
