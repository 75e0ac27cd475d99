/** Pipelines without a stored key: they exchange a token of their issuer for an API key that works for 15 minutes. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import {
  ExchangedKey,
  NewTrustPolicy,
  TokenExchange,
  TrustPolicy,
} from '../schemas/trust-policies.ts'

const scope = { domains: ['*.ci.example.net'], actions: null, record_types: null, networks: null }

const example: TrustPolicy = {
  id: '5',
  name: 'deploy',
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://dns.example.net',
  repository: 'ada/home',
  repository_id: '74',
  repository_owner_id: '65',
  branch: 'main',
  environment: null,
  subject: null,
  scope,
  created_at: '2026-05-12T08:30:00.000Z',
  last_used_at: null,
  last_used_ip: null,
  last_subject: null,
}

export const trustPolicies = {
  listTrustPolicies: {
    method: 'GET',
    url: '/api/trust-policies/',
    summary: 'List your trust policies',
    access: 'session',
    success: {
      status: 200,
      description: 'All your trust policies.',
      schema: Type.Array(ref(TrustPolicy)),
      example: [example],
    },
    problems: ['plan-required'],
  },
  createTrustPolicy: {
    method: 'POST',
    url: '/api/trust-policies/',
    summary: 'Trust a pipeline',
    description:
      'A policy must specify at least a repository or a subject. From the first exchange on, the repository is identified by its id. The scope of a policy cannot be changed: create another policy.',
    access: 'session',
    stepUp: true,
    body: ref(NewTrustPolicy),
    bodyExample: {
      name: 'deploy',
      issuer: 'https://token.actions.githubusercontent.com',
      repository: 'ada/home',
      branch: 'main',
      scope: { domains: ['*.ci.example.net'] },
    },
    success: { status: 201, description: 'The policy.', schema: ref(TrustPolicy), example },
    problems: ['plan-required', 'key-limit'],
  },
  deleteTrustPolicy: {
    method: 'DELETE',
    url: '/api/trust-policies/{id}',
    summary: 'Delete a trust policy',
    description: 'API keys that pipelines got through this policy stop working at once.',
    access: 'session',
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'The policy is deleted.' },
    problems: ['not-found'],
  },
  exchangeToken: {
    method: 'POST',
    url: '/api/trust-policies/{id}/exchange',
    summary: 'Exchange the token of a pipeline for a key',
    description:
      'The token must be a JWT that the issuer of the policy signed for the audience of the policy. A token with an id (`jti`) can be exchanged only once.',
    access: 'public',
    params: Type.Object({ id: Id }),
    body: ref(TokenExchange),
    bodyExample: { token: 'eyJhbGciOiJSUzI1NiIs…' },
    success: {
      status: 201,
      description: 'An API key that works for 15 minutes, with the scope of the policy.',
      schema: ref(ExchangedKey),
      example: { key: 'ak_4mTq9zX…', expires_at: '2026-05-12T08:45:00.000Z', scope },
    },
    problems: ['wrong-credentials', 'account-disabled', 'plan-required'],
  },
} as const satisfies Slice
