import { invalid } from './errors.ts'

const NAME_LIMIT = 50

/**
 * Reads the name that a user gives to a key, a passkey or a pipeline.
 *
 * @param missing message for an empty name
 * @throws Refusal `validation-failed`
 */
export function readGivenName(text: string, missing: string): string {
  const name = text.trim()
  const fault = (message: string) => invalid({ field: 'name', message })
  if (name === '') throw fault(missing)
  // Counts code points, not UTF-16 units.
  if (Array.from(name).length > NAME_LIMIT) {
    throw fault(`The name is too long. It can have at most ${NAME_LIMIT} characters.`)
  }
  if (/\p{Cc}/u.test(name)) throw fault('The name contains a control character. Please remove it.')
  return name
}
