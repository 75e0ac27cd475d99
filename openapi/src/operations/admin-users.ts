/** Accounts, as administrators see and change them. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { AdminUser, AdminUserChange } from '../schemas/admin-users.ts'
import { ADMIN_USER_SORT } from '../vocabulary.ts'

const example: AdminUser = {
  id: '7',
  username: 'ada',
  email: 'ada@example.net',
  email_verified: true,
  given_name: 'Ada',
  surname: null,
  plan: 'pro',
  account_type: 'pro',
  enabled: true,
  domain_count: 3,
  twofa_secret: null,
  created_at: '2026-05-01T12:00:00.000Z',
  last_login: '2026-05-12T08:30:00.000Z',
  last_login_ip: '198.51.100.7',
  last_login_cc: null,
  account_create_cc: null,
}

export const adminUsers = {
  listUsers: {
    method: 'GET',
    url: '/api/admin/users',
    summary: 'Accounts',
    description: '25 when no range is asked for, at most 100 at once.',
    access: 'administrator',
    query: listQuery({
      sort: ADMIN_USER_SORT,
      filter: {
        q: 'a part of the user name, the address or the names',
        id: 'one id or a list of them',
        account_type: 'the plan',
        enabled: 'true or false',
      },
    }),
    success: {
      status: 200,
      description: 'The accounts.',
      schema: Type.Array(ref(AdminUser)),
      example: [example],
      list: true,
    },
    problems: ['range-not-satisfiable'],
  },
  getUser: {
    method: 'GET',
    url: '/api/admin/users/{id}',
    summary: 'An account',
    access: 'administrator',
    params: Type.Object({ id: Id }),
    success: { status: 200, description: 'The account.', schema: ref(AdminUser), example },
    problems: ['not-found'],
  },
  updateUser: {
    method: 'PUT',
    url: '/api/admin/users/{id}',
    summary: 'Change an account',
    description:
      'A new plan changes the TTL of the names and how many of them are served; nothing is deleted. Disabling the account, and making somebody an administrator or no longer one, ends its sessions. There is always an administrator, and nobody takes their own office or disables themselves. Making somebody an administrator or no longer one, another address, and any change to another administrator’s account ask for a fresh proof of who calls: `step-up-required`.',
    access: 'administrator',
    params: Type.Object({ id: Id }),
    body: ref(AdminUserChange),
    bodyExample: { account_type: 'pro' },
    success: {
      status: 200,
      description: 'The account as it now is.',
      schema: ref(AdminUser),
      example,
    },
    problems: ['not-found', 'conflict', 'step-up-required'],
  },
  endUserSessions: {
    method: 'DELETE',
    url: '/api/admin/users/{id}/sessions',
    summary: 'Sign an account out everywhere',
    description:
      'All its sessions end, and sign-ins that are under way. Keys and tokens continue to work; suspending the account stops them, too. For another administrator’s account a fresh proof of who calls is required.',
    access: 'administrator',
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'Nobody is signed in to the account.' },
    problems: ['not-found', 'step-up-required'],
  },
  resetSecondFactors: {
    method: 'DELETE',
    url: '/api/admin/users/{id}/second-factors',
    summary: 'Take away the second factors of an account',
    description:
      'For somebody who lost them all: authenticator app, passkeys and recovery codes go, and all sessions of the account end. The owner is told by mail. An administrator’s own are turned off in the settings, with a fresh proof.',
    access: 'administrator',
    stepUp: true,
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'The password is all that the account asks for.' },
    problems: ['not-found', 'conflict'],
  },
} as const satisfies Slice
