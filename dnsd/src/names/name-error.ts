export type NameErrorCode =
  | 'bad-character'
  | 'bad-escape'
  | 'bad-hyphen'
  | 'bad-idn'
  | 'empty-label'
  | 'label-too-long'
  | 'malformed-wire'
  | 'name-too-long'
  | 'not-absolute'

/**
 * A text or octets that are not a valid domain name. The message is written for the person who entered it.
 */
export class NameError extends Error {
  readonly code: NameErrorCode

  constructor(code: NameErrorCode, message: string) {
    super(message)
    this.name = 'NameError'
    this.code = code
  }
}
