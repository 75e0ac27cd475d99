/** The account of a signed-in person: profile, password, email address and sessions. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import {
  AccountDeletion,
  DueDeletion,
  EmailChange,
  EmailConfirmation,
  LoginAttempt,
  NotificationChange,
  NotificationSettings,
  PasswordChange,
  ProfileChange,
  Session,
  type LoginAttempt as LoginAttemptBody,
  type NotificationSettings as NotificationSettingsBody,
  type Session as SessionBody,
} from '../schemas/account.ts'
import { LinkToken, Me, Message, PasswordSet, type Me as MeBody } from '../schemas/accounts.ts'
import { ada, workingCredentials } from './examples.ts'

const me: MeBody = {
  ...ada,
  email_verified: true,
  created_at: '2026-05-01T12:00:00.000Z',
  password_changed_at: '2026-05-10T07:15:00.000Z',
  email_changed_at: null,
  limits: { domain_limit: 100, domain_count: 3, ttl: 60, abilities: ['api_keys', 'wildcard'] },
}

const session: SessionBody = {
  id: '12',
  created_at: '2026-05-12T08:30:00.000Z',
  last_used_at: '2026-05-12T09:00:00.000Z',
  expires_at: '2026-06-11T09:00:00.000Z',
  ip: '198.51.100.7',
  cc: 'SE',
  client: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  is_current: true,
}

const login: LoginAttemptBody = {
  time: '2026-05-12T08:30:00.000Z',
  ip: '198.51.100.7',
  cc: 'SE',
  success: true,
  method: 'password_totp',
}

const notifications: NotificationSettingsBody = {
  address_changed: false,
  not_updated_days: 7,
  key_expiring: true,
}

export const account = {
  getMe: {
    method: 'GET',
    url: '/api/me',
    summary: 'Your account',
    access: 'session',
    success: {
      status: 200,
      description: 'The account and its plan.',
      schema: ref(Me),
      example: me,
    },
  },
  updateProfile: {
    method: 'PUT',
    url: '/api/profile',
    summary: 'Change your given name and surname',
    access: 'session',
    idempotent: true,
    body: ref(ProfileChange),
    bodyExample: { given_name: 'Ada', surname: null },
    success: {
      status: 200,
      description: 'The changed account.',
      schema: ref(Me),
      example: me,
    },
  },
  getNotifications: {
    method: 'GET',
    url: '/api/me/notifications',
    summary: 'Get your notification settings',
    access: 'session',
    success: {
      status: 200,
      description: 'The mails that you get, besides those about security.',
      schema: ref(NotificationSettings),
      example: notifications,
    },
  },
  updateNotifications: {
    method: 'PUT',
    url: '/api/me/notifications',
    summary: 'Change your notification settings',
    description:
      'Mails about security, such as new keys and sign-ins from new devices, cannot be turned off.',
    access: 'session',
    idempotent: true,
    body: ref(NotificationChange),
    bodyExample: { not_updated_days: 7 },
    success: {
      status: 200,
      description: 'The changed settings.',
      schema: ref(NotificationSettings),
      example: notifications,
    },
  },
  changePassword: {
    method: 'POST',
    url: '/api/change-password',
    summary: 'Change your password',
    description:
      'All other sessions end. API keys, update tokens, trusted pipelines and passkeys keep working. The response contains their numbers; `revoke_credentials` deletes them in the same step. A wrong current password is reported as an error of its field, and counts as a failed attempt for the account’s password.',
    access: 'session',
    stepUp: 'with-second-factor',
    body: ref(PasswordChange),
    bodyExample: {
      current_password: 'correct horse',
      new_password: 'correct horse battery staple',
    },
    success: {
      status: 200,
      description: 'The password is changed.',
      schema: ref(PasswordSet),
      example: {
        message: 'Your password was changed.',
        working_credentials: workingCredentials,
      },
    },
  },
  changeEmail: {
    method: 'POST',
    url: '/api/change-email',
    summary: 'Change your email address',
    description:
      'The service mails a link to the current address and another to the new one. The address changes when both links were opened, within 24 hours. The response does not reveal whether another account has the new address.',
    access: 'session',
    stepUp: 'with-second-factor',
    body: ref(EmailChange),
    bodyExample: { email: 'ada@example.org', password: 'correct horse' },
    success: {
      status: 200,
      description: 'The links were mailed to both addresses.',
      schema: ref(Message),
      example: { message: 'Please open the links that we mailed to both addresses.' },
    },
  },
  confirmEmailChange: {
    method: 'POST',
    url: '/api/confirm-email-change',
    summary: 'Confirm a change of email address by a link',
    description: 'Accepts both links, in any order. Each link works once, for 24 hours.',
    access: 'public',
    body: ref(LinkToken),
    bodyExample: { token: 'x7Jd0mQv…' },
    success: {
      status: 200,
      description: 'This address is confirmed.',
      schema: ref(EmailConfirmation),
      example: { message: 'Your email address was changed.', is_changed: true },
    },
    problems: ['link-invalid', 'link-expired'],
  },
  deleteAccount: {
    method: 'POST',
    url: '/api/delete-account',
    summary: 'Delete your account after 14 days',
    description:
      'All sessions end. For 14 days, DNS still serves the domains and keys still work; signing in keeps the account. After that, the service removes the domains and all data about you.',
    access: 'session',
    stepUp: 'with-second-factor',
    body: ref(AccountDeletion),
    bodyExample: { password: 'correct horse' },
    success: {
      status: 200,
      description: 'The account will be deleted.',
      schema: ref(DueDeletion),
      example: {
        message: 'Your account will be deleted in 14 days. To keep it, sign in before then.',
        deletion_due_at: '2026-05-26T08:30:00.000Z',
      },
    },
    problems: ['conflict'],
  },
  listSessions: {
    method: 'GET',
    url: '/api/me/sessions',
    summary: 'List your sessions',
    description: 'The most recently used session is first.',
    access: 'session',
    success: {
      status: 200,
      description: 'Your sessions.',
      schema: Type.Array(ref(Session)),
      example: [session],
    },
  },
  endOtherSessions: {
    method: 'DELETE',
    url: '/api/me/sessions',
    summary: 'End all other sessions',
    access: 'session',
    idempotent: true,
    success: { status: 204, description: 'All sessions except this one have ended.' },
  },
  endSession: {
    method: 'DELETE',
    url: '/api/me/sessions/{id}',
    summary: 'End a session',
    access: 'session',
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'The session has ended.' },
    problems: ['not-found'],
  },
  listLogins: {
    method: 'GET',
    url: '/api/me/login-history',
    summary: 'List sign-ins and failed attempts',
    description:
      'The newest is first. The list has at most 100 entries of the last 90 days, with the sign-in method.',
    access: 'session',
    success: {
      status: 200,
      description: 'The attempts for which the service checked the password.',
      schema: Type.Array(ref(LoginAttempt)),
      example: [login],
    },
  },
} as const satisfies Slice
