/**
 * The rows of the route matrix: how each operation of the contract is called, and about what.
 *
 * An operation without a row does not compile, and fails `route-matrix.test.ts`. A new one takes a line:
 *
 *     renameThing: {
 *       call: (its) => ({ params: { id: its.thingId }, body: { name: 'x' } }),   // a call that is right, about things of `its`
 *       ability: 'things',                                                      // where only some plans have it
 *       answers: 202,                                                           // where it is not the operation's own status
 *     },
 *
 * Who must be refused, and how, follows from the operation's `access` (`callers.ts`). Where the call names something
 * (it differs between the belongings of two people), everybody but its owner must get what is answered about a thing
 * that nobody has. `probes` are further calls that name something: ids in bodies, queries and filters.
 */
import { PASSWORD } from '../../support/api-world.ts'
import type { Belongings } from './belongings.ts'
import type { CallId, Probe, Row } from './row.ts'
import { UPDATE_ROWS } from './update-rows.ts'

/** The form of a token that nobody was sent. */
const NO_TOKEN = 'x'.repeat(43)
const NEW_ADDRESS = { record_ip: '198.51.100.77' }

/** What no authenticator signed. */
const UNSIGNED = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: {
    clientDataJSON: 'e30',
    attestationObject: 'oA',
    authenticatorData: 'AAAA',
    signature: 'AAAA',
  },
}

const nothing: Row['call'] = () => ({})
const domain: Row['call'] = (its) => ({ params: { id: its.domainId } })
const domainByName: Row['call'] = (its) => ({ params: { fqdn: its.fqdn } })
const user: Row['call'] = (its) => ({ params: { id: its.userId } })
const key: Row['call'] = (its) => ({ params: { id: its.keyId } })
const passkey: Row['call'] = (its) => ({ params: { id: its.passkeyId } })

const filtered =
  (filter: (its: Belongings) => object): Row['call'] =>
  (its) => ({ query: { filter: JSON.stringify(filter(its)) } })

const scopedProbe = (extra: object): Probe => ({
  call: (its) => ({ body: { name: 'probe', ...extra, scope: { domains: [its.fqdn] } } }),
  writes: true,
})

const ROWS = {
  getHealth: { call: nothing },
  checkAddress: { call: nothing },
  nicCheckAddress: { call: nothing },
  nicCheckAddressPage: { call: nothing },

  register: {
    call: (_, nonce) => ({
      body: {
        username: `fresh${nonce}`,
        email: `fresh${nonce}@mail.test`,
        password: PASSWORD,
        terms: true,
      },
    }),
    writes: true,
    probes: {
      'an address that is taken': {
        call: (its, nonce) => ({
          body: { username: `fresher${nonce}`, email: its.email, password: PASSWORD, terms: true },
        }),
        writes: true,
      },
    },
  },
  verifyEmailByLink: { call: () => ({ params: { token: NO_TOKEN } }), answers: 400 },
  verifyEmail: { call: () => ({ body: { token: NO_TOKEN } }), answers: 400 },
  resendVerification: { call: (its) => ({ body: { email: its.email } }), writes: true },
  forgotPassword: { call: (its) => ({ body: { email: its.email } }), writes: true },
  verifyResetToken: { call: () => ({ params: { token: NO_TOKEN } }), answers: 400 },
  resetPassword: {
    call: () => ({ body: { token: NO_TOKEN, new_password: PASSWORD } }),
    answers: 400,
  },
  login: {
    call: (its) => ({ body: { username_or_email: its.username, password: 'a wrong one' } }),
    answers: 401,
    writes: true,
    probes: {
      'by address': {
        call: (its) => ({ body: { username_or_email: its.email, password: 'a wrong one' } }),
        writes: true,
      },
    },
  },
  logout: { call: nothing },

  getMe: { call: nothing },
  updateProfile: { call: () => ({ body: { given_name: 'Another' } }) },
  changePassword: {
    call: () => ({ body: { current_password: PASSWORD, new_password: 'another good password' } }),
  },
  changeEmail: {
    call: (_, nonce) => ({ body: { email: `other${nonce}@mail.test`, password: PASSWORD } }),
    probes: {
      'an address that is taken': {
        call: (its) => ({ body: { email: its.email, password: PASSWORD } }),
        writes: true,
      },
    },
  },
  confirmEmailChange: { call: () => ({ body: { token: NO_TOKEN } }), answers: 400 },
  deleteAccount: {
    call: () => ({ body: { password: PASSWORD } }),
    refuses: { administrator: 'conflict' },
  },
  listSessions: { call: nothing },
  endOtherSessions: { call: nothing },
  endSession: { call: (its) => ({ params: { id: its.sessionId } }) },
  listLogins: { call: nothing },
  exportAccount: { call: nothing },
  listOfferedPlans: { call: nothing },
  previewPlan: { call: () => ({ query: { plan: 'free' } }) },

  listAvailableZones: { call: nothing },
  listDomains: {
    call: nothing,
    probes: {
      'filter by id': { call: filtered((its) => ({ id: its.domainId })) },
      'filter by ids': { call: filtered((its) => ({ id: [its.domainId, its.bareId] })) },
      'filter by text': { call: filtered((its) => ({ q: its.fqdn })) },
    },
  },
  createDomain: {
    call: (_, nonce) => ({ body: { fqdn: `fresh${nonce}.homing.test` } }),
    probes: {
      'a name that is taken': {
        call: (its) => ({ body: { fqdn: its.fqdn } }),
        refusal: 'name-taken',
      },
      'below a name of somebody': {
        call: (its) => ({ body: { fqdn: `below.${its.fqdn}` } }),
        refusal: 'name-taken',
      },
    },
  },
  getDomain: { call: domain },
  updateDomain: { call: (its) => ({ params: { id: its.domainId }, body: NEW_ADDRESS }) },
  deleteDomain: { call: domain },
  getDomainByFqdn: { call: domainByName },
  updateDomainByFqdn: { call: (its) => ({ params: { fqdn: its.fqdn }, body: NEW_ADDRESS }) },
  deleteDomainByFqdn: { call: domainByName },
  createWildcard: {
    call: (its) => ({ body: { base_fqdn: its.bareFqdn } }),
    ability: 'wildcard',
  },
  listUpdateCalls: { call: domain },

  getUpdateToken: { call: domain },
  createUpdateToken: {
    call: (its) => ({ params: { id: its.bareId }, body: {} }),
    probes: {
      'one that is there': {
        call: (its) => ({ params: { id: its.domainId }, body: { replace: true } }),
      },
    },
  },
  deleteUpdateToken: { call: domain },

  listApiKeys: {
    call: nothing,
    ability: 'api_keys',
    probes: {
      'filter by id': { call: filtered((its) => ({ id: its.keyId })) },
      'filter by text': { call: filtered((its) => ({ q: its.username })) },
    },
  },
  createApiKey: {
    call: () => ({ body: { name: 'router' } }),
    ability: 'api_keys',
    probes: { 'a name of somebody': scopedProbe({}) },
  },
  rotateApiKey: {
    call: (its) => ({ params: { id: its.keyId }, body: {} }),
    ability: 'api_keys',
  },
  testApiKey: {
    call: (its) => ({ params: { id: its.keyId }, query: { action: 'read' } }),
    probes: {
      'with a name': {
        call: (its) => ({
          params: { id: its.keyId },
          query: { action: 'update', domain: its.fqdn },
        }),
      },
    },
  },
  deleteApiKey: { call: key },

  listTrustPolicies: { call: nothing, ability: 'api_keys' },
  createTrustPolicy: {
    call: () => ({
      body: { name: 'deploy', issuer: 'https://gitlab.com', repository: 'group/project' },
    }),
    ability: 'api_keys',
    probes: {
      'a name of somebody': scopedProbe({ issuer: 'https://gitlab.com', repository: 'a/b' }),
    },
  },
  deleteTrustPolicy: { call: (its) => ({ params: { id: its.policyId } }) },
  exchangeToken: {
    call: (its) => ({ params: { id: its.policyId }, body: { token: 'eyJh.bGci.OiJI' } }),
    answers: 401,
  },

  getCaptcha: { call: nothing },
  // The service of tests asks for none.
  getCaptchaChallenge: { call: nothing, answers: 404 },

  startPasskey: { call: nothing },
  addPasskey: { call: () => ({ body: { name: 'laptop', credential: UNSIGNED } }), answers: 422 },
  listPasskeys: { call: nothing },
  renamePasskey: { call: (its) => ({ ...passkey(its, ''), body: { name: 'another' } }) },
  removePasskey: { call: passkey },
  startPasskeySignIn: { call: () => ({ body: {} }), writes: true },
  signInByPasskey: { call: () => ({ body: { credential: UNSIGNED } }), answers: 401 },
  startPasskeyConfirmation: { call: nothing },
  confirmByPasskey: { call: () => ({ body: { credential: UNSIGNED } }), answers: 422 },

  completeLogin: {
    call: () => ({ body: { login_token: NO_TOKEN, code: '123456' } }),
    answers: 401,
  },
  // Everybody here has a passkey, so a password is not enough.
  confirmIdentity: { call: () => ({ body: { password: PASSWORD } }), answers: 422 },
  getSecondFactors: { call: nothing },
  startTotp: { call: nothing },
  confirmTotp: { call: () => ({ body: { code: '123456' } }), answers: 409 },
  endTotp: { call: nothing, answers: 404 },
  renewRecoveryCodes: { call: nothing },

  listUsers: { call: filtered((its) => ({ id: its.userId })) },
  getUser: { call: user },
  updateUser: { call: (its) => ({ params: { id: its.userId }, body: { given_name: 'Another' } }) },
  endUserSessions: { call: user },
  resetSecondFactors: { call: user },
  previewUserPlan: {
    call: (its) => ({ params: { id: its.userId }, query: { plan: 'free' } }),
  },
  listPlans: { call: nothing },
  getPlan: { call: () => ({ params: { id: 'elite' } }) },
  updatePlan: { call: () => ({ params: { id: 'elite' }, body: { stealth_flag_limit: 51 } }) },
  previewPlanChange: { call: () => ({ params: { id: 'elite' }, body: { domain_limit: 1 } }) },
  listAllDomains: { call: (its) => ({ query: { user_id: its.userId } }) },
  getAnyDomain: { call: domain },
  listLockedNames: { call: filtered((its) => ({ user_id: its.userId })) },
  deleteLockedName: { call: (its) => ({ params: { id: its.lockId } }) },
  lockDomain: { call: domain },
  unlockDomain: { call: domain },
} as const satisfies Readonly<Record<CallId, Row>>

/** What has a row of any kind. */
export const ROW_IDS: readonly string[] = [...Object.keys(ROWS), ...Object.keys(UPDATE_ROWS)]

export function rowOf(operationId: string): Row {
  const row = (ROWS as Readonly<Record<string, Row>>)[operationId]
  if (row === undefined) throw new Error(`${operationId} has no row in the route matrix (rows.ts)`)
  return row
}
