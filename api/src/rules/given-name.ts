import { invalid } from './errors.ts'

const NAME_LIMIT = 50

/**
 * What somebody calls a thing of theirs, to know it again: a key, a passkey, a pipeline.
 *
 * @param missing what is said where there is none
 * @throws Refusal `validation-failed`
 */
export function readGivenName(text: string, missing: string): string {
  const name = text.trim()
  const fault = (message: string) => invalid({ field: 'name', message })
  if (name === '') throw fault(missing)
  // By characters, as people count them.
  if (Array.from(name).length > NAME_LIMIT) {
    throw fault(`The name is too long. It can have at most ${NAME_LIMIT} characters.`)
  }
  if (/\p{Cc}/u.test(name)) throw fault('The name contains a control character. Please remove it.')
  return name
}
