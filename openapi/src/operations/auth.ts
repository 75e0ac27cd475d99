/** Registering, verifying an email address, resetting a password, signing in and out. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { ref } from '../schema.ts'
import {
  Credentials,
  EmailAddress,
  LinkToken,
  Message,
  NewAccount,
  PasswordReset,
  PasswordSet,
  RegisteredAccount,
  RegistrationStatus,
  ResetSubject,
  UsernameAvailability,
} from '../schemas/accounts.ts'
import { LoginAnswer } from '../schemas/login.ts'
import { TERMS_VERSION } from '../vocabulary.ts'
import { signedIn, workingCredentials as working_credentials } from './examples.ts'

const verified = {
  status: 200,
  description: 'The address is verified.',
  schema: ref(Message),
  example: { message: 'Email Verified!' },
} as const

export const auth = {
  register: {
    method: 'POST',
    url: '/api/register',
    summary: 'Create an account',
    description:
      'The service mails a link that verifies the address. The response is the same when another account already has the address; the owner of that account gets a mail. A browser gets a cookie with which it can verify the address by opening the link. Until then, it can register the same username again, for example with another address: the new registration replaces the former one.',
    access: 'public',
    body: ref(NewAccount),
    bodyExample: {
      username: 'ada',
      email: 'ada@example.net',
      password: 'correct horse battery staple',
      terms: true,
      terms_version: TERMS_VERSION,
    },
    success: {
      status: 201,
      description: 'The account is created. The verification link was mailed.',
      schema: ref(RegisteredAccount),
      example: {
        message: 'Please check your email to verify your account.',
        username: 'ada',
        email: 'ada@example.net',
      },
    },
    problems: ['username-taken'],
  },
  getRegistrationStatus: {
    method: 'GET',
    url: '/api/register/status',
    summary: 'Check whether the address of a new account is verified',
    description:
      'For the browser that registered the account, which has a cookie from the registration, until the first sign-in. Every other caller gets `false`.',
    access: 'public',
    success: {
      status: 200,
      description: 'The status of the registration.',
      schema: ref(RegistrationStatus),
      example: { verified: false },
    },
  },
  checkUsername: {
    method: 'GET',
    url: '/api/usernames/{username}/availability',
    summary: 'Check whether a username is available',
    description:
      'The name is not reserved: a registration can still be refused with `username-taken`. A network can check 600 names per hour.',
    access: 'public',
    params: Type.Object({
      username: Type.String({ minLength: 1, maxLength: 256, examples: ['ada'] }),
    }),
    success: {
      status: 200,
      description: 'Whether an account can be registered with this username.',
      schema: ref(UsernameAvailability),
      example: { available: false, reason: 'taken' },
    },
  },
  verifyEmailByLink: {
    method: 'GET',
    url: '/api/verify-email/{token}',
    summary: 'Verify an email address by opening its link',
    description:
      'This call verifies the address only for the browser that registered the account, which has a cookie from the registration. For every other caller, a valid link returns 409 `email-unconfirmed` and remains valid, because mail scanners open links: call `POST /api/verify-email` when the person has confirmed. A browser that opens this URL itself is sent to the screen of the dashboard that does this (`/#verify-email/TOKEN`). A link works once, for 24 hours, and until a newer link is sent. Afterwards it returns 409 `already-verified`.',
    access: 'public',
    openQuery: true,
    params: Type.Object({ token: Type.String({ minLength: 1, maxLength: 256 }) }),
    success: verified,
    problems: ['link-invalid', 'link-expired', 'email-unconfirmed', 'already-verified'],
  },
  verifyEmail: {
    method: 'POST',
    url: '/api/verify-email',
    summary: 'Verify an email address',
    description:
      'Call this when the person has confirmed the address. A link works once; a second call with it returns 409 `already-verified`.',
    access: 'public',
    body: ref(LinkToken),
    bodyExample: { token: 'x7Jd0mQv…' },
    success: verified,
    problems: ['link-invalid', 'link-expired', 'already-verified'],
  },
  resendVerification: {
    method: 'POST',
    url: '/api/resend-verification',
    summary: 'Send the verification link again',
    description: 'The response does not reveal whether the account exists.',
    access: 'public',
    body: ref(EmailAddress),
    bodyExample: { email: 'ada@example.net' },
    success: {
      status: 200,
      description: 'If this address is awaiting verification, a mail is on its way.',
      schema: ref(Message),
      example: { message: 'If this address is awaiting verification, a new link is on its way.' },
    },
  },
  forgotPassword: {
    method: 'POST',
    url: '/api/forgot-password',
    summary: 'Request a password reset link',
    description: 'The response does not reveal whether the account exists.',
    access: 'public',
    body: ref(EmailAddress),
    bodyExample: { email: 'ada@example.net' },
    success: {
      status: 200,
      description: 'If an account has this address, a mail is on its way.',
      schema: ref(Message),
      example: {
        message: 'If an account has this address, a link is on its way. It expires in 1 hour.',
      },
    },
  },
  verifyResetToken: {
    method: 'GET',
    url: '/api/verify-reset-token/{token}',
    summary: 'Check a password reset link',
    description:
      'This call does not use up the link. The response contains the username and the numbers of other working credentials, so that a page can offer to revoke them.',
    access: 'public',
    params: Type.Object({ token: Type.String({ minLength: 1, maxLength: 256 }) }),
    success: {
      status: 200,
      description: 'The link works.',
      schema: ref(ResetSubject),
      example: { username: 'ada', working_credentials },
    },
    problems: ['link-invalid', 'link-expired'],
  },
  resetPassword: {
    method: 'POST',
    url: '/api/reset-password',
    summary: 'Set a new password with a reset link',
    description:
      'A link works once, for 1 hour, and until a newer link is sent. All sessions of the account end, and the caller is not signed in. API keys, update tokens, trusted pipelines and passkeys keep working. The response contains their numbers; `revoke_credentials` deletes them in the same step. An account with a second factor still requires it: with its passkeys revoked and without an authenticator app, signing in requires a recovery code.',
    access: 'public',
    body: ref(PasswordReset),
    bodyExample: { token: 'x7Jd0mQv…', new_password: 'correct horse battery staple' },
    success: {
      status: 200,
      description: 'The password is set.',
      schema: ref(PasswordSet),
      example: { message: 'Password Reset Successful!', working_credentials },
    },
    problems: ['link-invalid', 'link-expired'],
  },
  login: {
    method: 'POST',
    url: '/api/login',
    summary: 'Sign in',
    description:
      'A browser gets the session as a cookie that scripts cannot read; any other caller gets it as `token`. A session ends after 30 days without use, and after 90 days in any case.',
    access: 'public',
    body: ref(Credentials),
    bodyExample: { username_or_email: 'ada', password: 'correct horse battery staple' },
    success: {
      status: 200,
      description: 'A session, or a request for a CAPTCHA or a second factor.',
      schema: ref(LoginAnswer),
      example: signedIn,
    },
    problems: ['wrong-credentials', 'email-not-verified', 'account-disabled', 'cross-site'],
  },
  logout: {
    method: 'POST',
    url: '/api/logout',
    summary: 'Sign out',
    access: 'session',
    success: { status: 204, description: 'The session has ended.' },
  },
} as const satisfies Slice
