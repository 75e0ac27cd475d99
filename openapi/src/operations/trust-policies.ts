/** Pipelines without a stored key: what their issuer says of them gets them one for 15 minutes. */
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
    summary: 'The pipelines that you trust',
    access: 'session',
    success: {
      status: 200,
      description: 'All of them.',
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
      'By its repository or its subject, at least. A repository that is named is known by its id from the first exchange on. What it may do never changes: make another.',
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
    summary: 'Trust a pipeline no more',
    description: 'Keys that it got are refused from this moment on.',
    access: 'session',
    params: Type.Object({ id: Id }),
    success: { status: 204, description: 'The policy is gone.' },
    problems: ['not-found'],
  },
  exchangeToken: {
    method: 'POST',
    url: '/api/trust-policies/{id}/exchange',
    summary: 'Exchange the token of a pipeline for a key',
    description:
      'The token is a signed JWT of the issuer of the policy, made for the audience of the policy. A token that has an id (`jti`) is exchanged once.',
    access: 'public',
    params: Type.Object({ id: Id }),
    body: ref(TokenExchange),
    bodyExample: { token: 'eyJhbGciOiJSUzI1NiIs…' },
    success: {
      status: 201,
      description: 'A key for 15 minutes, within the scope of the policy.',
      schema: ref(ExchangedKey),
      example: { key: 'ak_4mTq9zX…', expires_at: '2026-05-12T08:45:00.000Z', scope },
    },
    problems: ['wrong-credentials', 'account-disabled', 'plan-required'],
  },
} as const satisfies Slice
