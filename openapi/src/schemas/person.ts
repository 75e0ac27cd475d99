/** Fields that several schemas of accounts share. */
import { Type } from 'typebox'

export const AccountType = Type.Enum(['free', 'pro', 'elite', 'admin', 'disabled'], {
  description: 'The plan of the account.',
})

export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.net'] })

/** The name of a person: any script, no control characters. */
export const PersonName = Type.String({ maxLength: 100, pattern: String.raw`^[^\p{Cc}]*$` })

/** Longest password in characters. Longer passwords only cost time to hash. */
const PASSWORD_LIMIT = 256

/** An existing password. */
export const Password = Type.String({ minLength: 1, maxLength: PASSWORD_LIMIT })

export const NewPassword = Type.String({
  minLength: 8,
  maxLength: PASSWORD_LIMIT,
  description: 'At least 8 characters.',
  examples: ['correct horse battery staple'],
})

export const RevokeCredentials = Type.Optional(
  Type.Boolean({
    description:
      'Also deletes all API keys, update tokens, trust policies and passkeys of the account. By default, they keep working.',
  }),
)
