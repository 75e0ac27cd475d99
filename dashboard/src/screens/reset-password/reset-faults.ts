const LENGTH_LIMIT = 8

/** What is wrong with a new password and its repetition; undefined when nothing is. */
export function faultIn(password: string, repeated: string): string | undefined {
  if (password === '' || repeated === '') return 'Please fill in all fields'
  if (password.length < LENGTH_LIMIT) return 'Password must be at least 8 characters long'
  return password === repeated ? undefined : 'Passwords do not match'
}
