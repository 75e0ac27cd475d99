import { Type, type Static } from 'typebox'
import { record } from '../schema.ts'

const Hex = Type.String({ pattern: '^[0-9a-f]+$' })

export const CaptchaChallenge = record(
  'CaptchaChallenge',
  {
    parameters: Type.Object(
      {
        algorithm: Type.String({ examples: ['PBKDF2/SHA-256'] }),
        cost: Type.Integer({ description: 'Iterations of one derivation.' }),
        expiresAt: Type.Integer({ description: 'Seconds since 1970.' }),
        keyLength: Type.Integer({ description: 'Octets of a derived key.' }),
        keyPrefix: Hex,
        keySignature: Hex,
        nonce: Hex,
        salt: Hex,
      },
      { additionalProperties: false },
    ),
    signature: Hex,
  },
  'A challenge of ALTCHA, version 2, as its widget and library take it.',
)
export type CaptchaChallenge = Static<typeof CaptchaChallenge>
