/** Passkeys: add and remove them, sign in with one, confirm your identity with one. The page runs the WebAuthn ceremony. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import {
  AddedPasskey,
  NewPasskey,
  Passkey,
  type PasskeyAssertion,
  PasskeyConfirmation,
  PasskeyCreation,
  PasskeyName,
  PasskeyRequest,
  PasskeySignIn,
  PasskeySignInStart,
  type Passkey as PasskeyBody,
  type PasskeyCreation as PasskeyCreationBody,
  type PasskeyRequest as PasskeyRequestBody,
} from '../schemas/passkeys.ts'
import { Confirmed } from '../schemas/two-factor.ts'
import { lastStepOfSignIn } from './signed-in.ts'

const passkey: PasskeyBody = {
  id: '4',
  name: 'laptop',
  created_at: '2026-05-12T08:30:00.000Z',
  last_used_at: null,
  transports: ['internal', 'hybrid'],
  is_synced: true,
  is_backed_up: true,
  authenticator: 'iCloud Keychain',
}

const challenge = 'q1nT0u8o0Gh3cB5jQ2xkQzqj2b5aI9pYwD6yWmB4m2E'
const credentialId = 'mFhZ3y0rVQy1'

const creation: PasskeyCreationBody = {
  challenge,
  rp: { id: 'dns.example.net', name: 'Homing' },
  user: {
    id: 'eXwzK0m6iZt4i0uYJxN0mC7m3mY5v1uXl2pQn8sT4bA',
    name: 'ada',
    displayName: 'Ada Lovelace',
  },
  pubKeyCredParams: [
    { type: 'public-key', alg: -8 },
    { type: 'public-key', alg: -7 },
    { type: 'public-key', alg: -257 },
  ],
  timeout: 300_000,
  attestation: 'none',
  authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  excludeCredentials: [],
}

const request: PasskeyRequestBody = {
  challenge,
  rpId: 'dns.example.net',
  timeout: 300_000,
  userVerification: 'preferred',
  allowCredentials: [{ id: credentialId, type: 'public-key', transports: ['internal'] }],
}

const assertion: PasskeyAssertion = {
  id: credentialId,
  rawId: credentialId,
  type: 'public-key',
  response: {
    clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0Iiwi',
    authenticatorData: 'SZYN5YgOjGh0NBcPZHZgW4',
    signature: 'MEUCIQDqu3sT9Vd0',
    userHandle: null,
  },
}

const created = { status: 200, description: 'The options for the browser.' } as const

export const passkeys = {
  startPasskey: {
    method: 'POST',
    url: '/api/me/passkeys/options',
    summary: 'Start adding a passkey',
    description:
      'Pass the response to `navigator.credentials.create()`. It is valid for 5 minutes, for this session, and until you call this again.',
    access: 'session',
    stepUp: true,
    success: { ...created, schema: ref(PasskeyCreation), example: creation },
    problems: ['passkey-limit', 'conflict'],
  },
  addPasskey: {
    method: 'POST',
    url: '/api/me/passkeys',
    summary: 'Add a passkey',
    description:
      'Send the credential that the browser returned. From now on, signing in with the password requires a second factor, and this passkey is one. The owner gets a mail.',
    access: 'session',
    stepUp: true,
    body: ref(NewPasskey),
    bodyExample: {
      name: 'laptop',
      credential: {
        ...assertion,
        response: {
          clientDataJSON: assertion.response.clientDataJSON,
          attestationObject: 'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRo',
          transports: ['internal'],
        },
      },
    },
    success: {
      status: 201,
      description: 'The passkey.',
      schema: ref(AddedPasskey),
      example: { ...passkey, recovery_codes: null },
    },
    problems: ['passkey-limit', 'conflict'],
  },
  listPasskeys: {
    method: 'GET',
    url: '/api/me/passkeys',
    summary: 'List your passkeys',
    description: 'The oldest passkey is first.',
    access: 'session',
    success: {
      status: 200,
      description: 'All your passkeys.',
      schema: Type.Array(ref(Passkey)),
      example: [passkey],
    },
  },
  renamePasskey: {
    method: 'PUT',
    url: '/api/me/passkeys/{id}',
    summary: 'Rename a passkey',
    access: 'session',
    idempotent: true,
    params: Type.Object({ id: Id }),
    body: ref(PasskeyName),
    bodyExample: { name: 'the blue key' },
    success: {
      status: 200,
      description: 'The changed passkey.',
      schema: ref(Passkey),
      example: { ...passkey, name: 'the blue key' },
    },
    problems: ['not-found'],
  },
  removePasskey: {
    method: 'DELETE',
    url: '/api/me/passkeys/{id}',
    summary: 'Remove a passkey',
    description:
      'The passkey stops working at once. If it was the last second factor of the account, the recovery codes are removed too. The owner gets a mail.',
    access: 'session',
    stepUp: true,
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'The passkey is removed.' },
    problems: ['not-found'],
  },
  startPasskeySignIn: {
    method: 'POST',
    url: '/api/login/passkey/options',
    summary: 'Start signing in with a passkey',
    description:
      'Pass the response to `navigator.credentials.get()`. With a `login_token`, the passkey is the second factor. Without one, the passkey replaces the username and the password, and the authenticator must verify the user.',
    access: 'public',
    body: ref(PasskeySignInStart),
    bodyExample: {},
    success: {
      ...created,
      schema: ref(PasskeyRequest),
      example: { ...request, userVerification: 'required', allowCredentials: [] },
    },
    problems: ['wrong-credentials', 'sign-in-expired', 'cross-site'],
  },
  signInByPasskey: {
    method: 'POST',
    url: '/api/login/passkey',
    summary: 'Sign in with a passkey',
    description:
      'Send the credential that the browser returned. The response does not reveal why a passkey was rejected: an unknown passkey, a passkey of another account and a passkey of a deleted account get the same response.',
    access: 'public',
    body: ref(PasskeySignIn),
    bodyExample: { credential: assertion },
    ...lastStepOfSignIn,
  },
  startPasskeyConfirmation: {
    method: 'POST',
    url: '/api/me/confirm/passkey/options',
    summary: 'Start confirming your identity with a passkey',
    access: 'session',
    success: { ...created, schema: ref(PasskeyRequest), example: request },
    problems: ['conflict'],
  },
  confirmByPasskey: {
    method: 'POST',
    url: '/api/me/confirm/passkey',
    summary: 'Confirm your identity with a passkey',
    description:
      'For 15 minutes, the session can make calls that otherwise return `step-up-required`, as after `/api/me/confirm`. The session continues with a new token.',
    access: 'session',
    body: ref(PasskeyConfirmation),
    bodyExample: { credential: assertion },
    success: {
      status: 200,
      description: 'The session is confirmed.',
      schema: ref(Confirmed),
      example: { token: 'session', confirmed_until: '2026-05-12T08:45:00.000Z' },
    },
    problems: ['conflict'],
  },
} as const satisfies Slice
