/**
 * Passkeys. Browsers get and return the JSON forms of WebAuthn (Level 3 §5.1.8 to
 * §5.1.10), so a page passes them through unchanged.
 */
import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'

/** An object that browsers write. They can add fields that the service does not use. */
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
const ClientData = octets(4_096, 'The client data of the browser')
const Transports = Type.Array(
  Type.String({
    pattern: '^[a-z-]{1,20}$',
    description: 'A transport such as usb.',
    examples: ['usb'],
  }),
  { maxItems: 10, description: 'The transports of the authenticator.' },
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
      attestationObject: octets(16_384, 'The new public key and its attestation'),
      transports: Type.Optional(Transports),
    }),
  },
  'The result of `navigator.credentials.create()`, in the form of its `toJSON()`.',
)
export type PasskeyAttestation = Static<typeof PasskeyAttestation>

export const PasskeyAssertion = browserRecord(
  'PasskeyAssertion',
  {
    ...common,
    response: Type.Object({
      clientDataJSON: ClientData,
      authenticatorData: octets(4_096, 'The authenticator data'),
      signature: octets(4_096, 'The signature over the client data and the authenticator data'),
      userHandle: Type.Optional(
        nullable(
          Type.String({
            pattern: '^[A-Za-z0-9_-]*$',
            maxLength: 128,
            description: 'The user handle of the account, base64url.',
          }),
        ),
      ),
    }),
  },
  'The result of `navigator.credentials.get()`, in the form of its `toJSON()`.',
)
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

const KnownCredential = Type.Object({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Optional(Type.Array(Type.String())),
})
const Challenge = Type.String({
  description: 'The authenticator must sign it within 5 minutes. It works once.',
})
const Timeout = Type.Integer({ description: 'The timeout for the person in milliseconds.' })
const UserVerification = Type.Enum(['required', 'preferred', 'discouraged'])

export const PasskeyCreation = record(
  'PasskeyCreation',
  {
    challenge: Challenge,
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({
      id: Type.String({
        description: 'A random id, by which authenticators identify the account.',
      }),
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
      description: 'Empty: any passkey for this service.',
    }),
  },
  'For `PublicKeyCredential.parseRequestOptionsFromJSON()`.',
)
export type PasskeyRequest = Static<typeof PasskeyRequest>

const name = Type.String({
  maxLength: 200,
  description: '1 to 50 characters. Surrounding spaces are removed.',
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
  transports: Type.Array(
    Type.String({ description: 'A transport of the authenticator: `usb`, `internal`, …' }),
  ),
  is_synced: Type.Boolean({
    description: 'Whether the passkey can be backed up and synced to several devices.',
  }),
  is_backed_up: Type.Boolean({ description: 'Whether it was backed up at its last use.' }),
  authenticator: nullable(Type.String({ description: 'The name of the authenticator, if known.' })),
}

export const Passkey = record('Passkey', known)
export type Passkey = Static<typeof Passkey>

export const AddedPasskey = record('AddedPasskey', {
  ...known,
  recovery_codes: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description:
      'The recovery codes, if this is the first second factor of the account. Each works once, in place of the second factor. They are shown only once. Null otherwise.',
  }),
})
export type AddedPasskey = Static<typeof AddedPasskey>

const LoginToken = Type.String({
  minLength: 1,
  maxLength: 256,
  description: 'The `login_token` of a response of `/api/login` that requires a second factor.',
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
