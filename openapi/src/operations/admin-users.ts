/** Accounts, for administrators. */
import { Type } from 'typebox'
import { listQuery } from '../list-query.ts'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import { AdminUser, AdminUserChange } from '../schemas/admin-users.ts'
import { ADMIN_USER_SORT, ADMIN_USER_STATUS } from '../vocabulary.ts'

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
  monitoring_paused_at: null,
  monitoring_pause_reason: null,
  version: 'Zk3Vt0cQpO1nXr7yJm5s2A',
}

export const adminUsers = {
  listUsers: {
    method: 'GET',
    url: '/api/admin/users',
    summary: 'List accounts',
    description: 'Without `range`, the list has 25 items; the maximum is 100.',
    access: 'administrator',
    permission: 'administration',
    query: listQuery({
      sort: ADMIN_USER_SORT,
      filter: {
        q: 'a part of the username, the email address, the given name or the surname',
        id: 'one id or a list of ids',
        account_type: 'the plan',
        enabled: 'true or false',
        status: ADMIN_USER_STATUS.join(', '),
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
    summary: 'Get an account',
    access: 'administrator',
    permission: 'administration',
    params: Type.Object({ id: Id }),
    success: { status: 200, description: 'The account.', schema: ref(AdminUser), example },
    problems: ['not-found'],
  },
  updateUser: {
    method: 'PUT',
    url: '/api/admin/users/{id}',
    summary: 'Change an account',
    description: `A plan that an administrator sets is complimentary: \`free\` takes it away. A plan that is paid for stays, so the plan of the response can be larger than the one of the request. A new plan changes the TTL of the domains and how many of them are served; nothing is deleted. Disabling an account, or granting or removing the administrator role, ends its sessions. The last administrator cannot be removed. Administrators cannot remove their own role or disable their own account. Granting or removing the administrator role, changing the email address, and any change to another administrator’s account require a fresh proof of identity: \`step-up-required\`.
With \`If-Match\` (the \`ETag\` of the account), the call fails with \`version-mismatch\` if the account was changed in the meantime.`,
    access: 'administrator',
    permission: 'administration',
    params: Type.Object({ id: Id }),
    body: ref(AdminUserChange),
    bodyExample: { account_type: 'pro' },
    success: {
      status: 200,
      description: 'The changed account.',
      schema: ref(AdminUser),
      example,
    },
    problems: ['not-found', 'conflict', 'step-up-required', 'version-mismatch'],
  },
  endUserSessions: {
    method: 'DELETE',
    url: '/api/admin/users/{id}/sessions',
    summary: 'End all sessions of an account',
    description:
      'All sessions and unfinished sign-ins of the account end. Keys and tokens continue to work; disabling the account stops them too. For another administrator’s account, a fresh proof of identity is required.',
    access: 'administrator',
    permission: 'administration',
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'All sessions have ended.' },
    problems: ['not-found', 'step-up-required'],
  },
  resetSecondFactors: {
    method: 'DELETE',
    url: '/api/admin/users/{id}/second-factors',
    summary: 'Remove the second factors of an account',
    description:
      'For a user who lost all second factors. The call removes the authenticator app, passkeys and recovery codes, and ends all sessions of the account. The owner gets a mail. Administrators turn off their own second factors in their settings, with a fresh proof of identity.',
    access: 'administrator',
    permission: 'administration',
    stepUp: true,
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'The account requires only its password.' },
    problems: ['not-found', 'conflict'],
  },
} as const satisfies Slice
