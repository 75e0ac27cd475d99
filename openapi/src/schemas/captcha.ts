import { Type, type Static } from 'typebox'
import { record } from '../schema.ts'

const Hex = Type.String({ pattern: '^[0-9a-f]+$' })

export const CaptchaChallenge = record(
  'CaptchaChallenge',
  {
    parameters: Type.Object(
      {
        algorithm: Type.String({ examples: ['PBKDF2/SHA-256'] }),
        cost: Type.Integer({ description: 'The number of iterations of a derivation.' }),
        expiresAt: Type.Integer({ description: 'Unix time in seconds.' }),
        keyLength: Type.Integer({ description: 'The length of a derived key in octets.' }),
        keyPrefix: Hex,
        keySignature: Hex,
        nonce: Hex,
        salt: Hex,
      },
      { additionalProperties: false },
    ),
    signature: Hex,
  },
  'A challenge of ALTCHA, version 2, for its widget and library.',
)
export type CaptchaChallenge = Static<typeof CaptchaChallenge>
