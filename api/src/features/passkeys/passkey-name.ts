import { invalid } from '../../domain/errors.ts'

const NAME_LIMIT = 50

/** What somebody calls a passkey, to know it again. @throws Refusal `validation-failed` */
export function readName(text: string): string {
  const name = text.trim()
  const fault = (message: string) => invalid({ field: 'name', message })
  if (name === '') throw fault('Please enter a name for the passkey.')
  if (Array.from(name).length > NAME_LIMIT) {
    throw fault(`The name has more than ${NAME_LIMIT} characters.`)
  }
  if (/\p{Cc}/u.test(name)) throw fault('The name holds a control character.')
  return name
}
