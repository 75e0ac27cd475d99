/**
 * Passkeys. What browsers are given and give is in the JSON forms of WebAuthn (Level 3 §5.1.8 to
 * §5.1.10), so a page passes it through as it is.
 */
import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'

/** What browsers write: they may add fields that nobody here needs. */
function browserRecord<P extends TProperties, const Id extends string>(
  $id: Id,
  properties: P,
  description: string,
): TObject<P> & { $id: Id } {
  return Type.Object(properties, { $id, description }) as unknown as TObject<P> & { $id: Id }
}

const octets = (maxLength: number, description: string) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]+$', maxLength, description: `${description}, base64url.` })

/** Longest id of a credential: 1023 octets (WebAuthn §4). */
const CredentialId = octets(1_364, 'The id of the credential')
const ClientData = octets(4_096, 'What the browser says of the ceremony')
const Transports = Type.Array(
  Type.String({ pattern: '^[a-z-]{1,20}$', description: 'A word such as usb.', examples: ['usb'] }),
  { maxItems: 10, description: 'How the authenticator is reached.' },
)

const common = {
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Literal('public-key'),
}

export const PasskeyAttestation = browserRecord(
  'PasskeyAttestation',
  {
    ...common,
    response: Type.Object({
      clientDataJSON: ClientData,
      attestationObject: octets(16_384, 'The new key and what vouches for it'),
      transports: Type.Optional(Transports),
    }),
  },
  'What `navigator.credentials.create()` gave, by its `toJSON()`.',
)
export type PasskeyAttestation = Static<typeof PasskeyAttestation>

export const PasskeyAssertion = browserRecord(
  'PasskeyAssertion',
  {
    ...common,
    response: Type.Object({
      clientDataJSON: ClientData,
      authenticatorData: octets(4_096, 'What the authenticator says of the ceremony'),
      signature: octets(4_096, 'The signature of both'),
      userHandle: Type.Optional(
        nullable(
          Type.String({
            pattern: '^[A-Za-z0-9_-]*$',
            maxLength: 128,
            description: 'Whose passkey it is, base64url.',
          }),
        ),
      ),
    }),
  },
  'What `navigator.credentials.get()` gave, by its `toJSON()`.',
)
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

const KnownCredential = Type.Object({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Optional(Type.Array(Type.String())),
})
const Challenge = Type.String({ description: 'To be signed, within 5 minutes and once.' })
const Timeout = Type.Integer({ description: 'Milliseconds that the person has.' })
const UserVerification = Type.Enum(['required', 'preferred', 'discouraged'])

export const PasskeyCreation = record(
  'PasskeyCreation',
  {
    challenge: Challenge,
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({
      id: Type.String({ description: 'Random: what authenticators know the account by.' }),
      name: Type.String(),
      displayName: Type.String(),
    }),
    pubKeyCredParams: Type.Array(
      Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() }),
    ),
    timeout: Timeout,
    attestation: Type.Literal('none'),
    authenticatorSelection: Type.Object({
      residentKey: Type.Literal('preferred'),
      userVerification: UserVerification,
    }),
    excludeCredentials: Type.Array(KnownCredential),
  },
  'For `PublicKeyCredential.parseCreationOptionsFromJSON()`.',
)
export type PasskeyCreation = Static<typeof PasskeyCreation>

export const PasskeyRequest = record(
  'PasskeyRequest',
  {
    challenge: Challenge,
    rpId: Type.String(),
    timeout: Timeout,
    userVerification: UserVerification,
    allowCredentials: Type.Array(KnownCredential, {
      description: 'Empty: any passkey that the authenticator has for this service.',
    }),
  },
  'For `PublicKeyCredential.parseRequestOptionsFromJSON()`.',
)
export type PasskeyRequest = Static<typeof PasskeyRequest>

const name = Type.String({
  maxLength: 200,
  description: '1 to 50 characters; spaces around it are dropped.',
  examples: ['laptop'],
})

export const NewPasskey = record('NewPasskey', { name, credential: ref(PasskeyAttestation) })
export type NewPasskey = Static<typeof NewPasskey>

export const PasskeyName = record('PasskeyName', { name })
export type PasskeyName = Static<typeof PasskeyName>

const known = {
  id: Id,
  name: Type.String(),
  created_at: Time,
  last_used_at: nullable(Time),
  transports: Type.Array(Type.String({ description: 'How it is reached: `usb`, `internal`, …' })),
  is_synced: Type.Boolean({ description: 'Whether it can be on several devices.' }),
  is_backed_up: Type.Boolean({ description: 'Whether it is, as far as it was last heard.' }),
  authenticator: nullable(
    Type.String({ description: 'What holds it, where that says so and is known.' }),
  ),
}

export const Passkey = record('Passkey', known)
export type Passkey = Static<typeof Passkey>

export const AddedPasskey = record('AddedPasskey', {
  ...known,
  recovery_codes: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description:
      'With the first second factor of an account: what signs in without it, each once. They are shown this once. Null otherwise.',
  }),
})
export type AddedPasskey = Static<typeof AddedPasskey>

const LoginToken = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'Of an answer to `/api/login` that asks for a second factor.',
})

export const PasskeySignInStart = record('PasskeySignInStart', {
  login_token: Type.Optional(LoginToken),
})
export type PasskeySignInStart = Static<typeof PasskeySignInStart>

export const PasskeySignIn = record('PasskeySignIn', {
  login_token: Type.Optional(LoginToken),
  credential: ref(PasskeyAssertion),
})
export type PasskeySignIn = Static<typeof PasskeySignIn>

export const PasskeyConfirmation = record('PasskeyConfirmation', {
  credential: ref(PasskeyAssertion),
})
export type PasskeyConfirmation = Static<typeof PasskeyConfirmation>
