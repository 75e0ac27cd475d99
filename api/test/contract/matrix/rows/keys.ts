/**
 * Rows of API keys and of trusted pipelines. The rows of the called operations test what a key may do with a domain.
 */
import { MAKES_CREDENTIAL, NO_NAME, REVOKES } from '../inherited-rules.ts'
import { MISSING } from '../belongings.ts'
import type { Rows } from '../row.ts'
import { filtered, nothing, scopedProbe } from '../usual-calls.ts'

const UNLIMITED = { domains: null, actions: null, record_types: null, networks: null }

export const KEY_ROWS = {
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
    inherits: { ...MAKES_CREDENTIAL, passwordReset: { listed: 'api_keys' } },
    probes: { 'a name of somebody': scopedProbe({}) },
  },
  updateApiKey: {
    call: (its) => ({ params: { id: its.keyId }, body: { unused_days: 30, scope: UNLIMITED } }),
    ability: 'api_keys',
    inherits: {
      ...NO_NAME,
      stepUp: 'when-widened',
      notice: 'exempt: the owner gets a mail only if the key may do more (`update-key.test.ts`)',
      passwordReset: { listed: 'api_keys' },
    },
    probes: {
      'a name of somebody': {
        call: (its) => ({
          params: { id: MISSING.keyId },
          body: { scope: { ...UNLIMITED, domains: [its.fqdn] } },
        }),
      },
    },
  },
  rotateApiKey: {
    call: (its) => ({ params: { id: its.keyId }, body: {} }),
    ability: 'api_keys',
    inherits: { ...MAKES_CREDENTIAL, passwordReset: { listed: 'api_keys' } },
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
  deleteApiKey: { call: (its) => ({ params: { id: its.keyId } }), inherits: REVOKES },

  listTrustPolicies: { call: nothing, ability: 'api_keys' },
  createTrustPolicy: {
    call: () => ({
      body: { name: 'deploy', issuer: 'https://gitlab.com', repository: 'group/project' },
    }),
    ability: 'api_keys',
    inherits: { ...MAKES_CREDENTIAL, passwordReset: { listed: 'trust_policies' } },
    probes: {
      'a name of somebody': scopedProbe({ issuer: 'https://gitlab.com', repository: 'a/b' }),
    },
  },
  deleteTrustPolicy: { call: (its) => ({ params: { id: its.policyId } }), inherits: REVOKES },
} as const satisfies Partial<Rows>
