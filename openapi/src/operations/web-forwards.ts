/** Web forwards: domains that lead visitors to another URL. */
import { Type } from 'typebox'
import type { Slice } from '../operation.ts'
import { Id, ref } from '../schema.ts'
import {
  NewWebForward,
  SavedWebForward,
  TargetCheck,
  TargetQuestion,
  WebForward,
  WebForwardChange,
  WebForwardUsage,
} from '../schemas/web-forwards.ts'
import { TARGET_REDIRECT_LIMIT } from '../vocabulary.ts'
import { webForward as example } from './examples.ts'

const byId = Type.Object({ id: Id })

const RULES =
  'The target must not be a special-use address or name, a host of this service, a look-alike of a known name, or a target that an administrator blocked, and it must not contain a username or password: `target-not-allowed`. Domains that are forwarded to each other in a circle are refused in the same way.'

const STEALTH =
  'If the target of a stealth forward cannot be shown in a frame, the forward acts as a redirect and uses no stealth flag; `warning` says so.'

export const webForwards = {
  listWebForwards: {
    method: 'GET',
    url: '/api/webforward',
    summary: 'List your web forwards',
    access: 'caller',
    keyAction: 'read',
    success: {
      status: 200,
      description: 'All your web forwards, by domain.',
      schema: Type.Array(ref(WebForward)),
      example: [example],
    },
  },
  getWebForwardUsage: {
    method: 'GET',
    url: '/api/webforward/usage',
    summary: 'Count your web forwards and stealth flags',
    access: 'caller',
    keyAction: 'read',
    success: {
      status: 200,
      description: 'The counts of the account, and what its plan allows.',
      schema: ref(WebForwardUsage),
      example: {
        total_forwards: 4,
        stealth_flags_used: 1,
        max_stealth_flags: 10,
        remaining_stealth_flags: 9,
        can_create_redirect: true,
        can_create_stealth: true,
      },
    },
  },
  createWebForward: {
    method: 'POST',
    url: '/api/webforward',
    summary: 'Forward a domain',
    description: `Each domain can have one web forward. A wildcard uses the forward of its base domain and cannot have its own. DNS resolves a forwarded domain to the forwarding server; its own addresses are kept.
${RULES}
${STEALTH} The target is checked before the forward is saved. A target that does not answer is saved with a \`warning\`.`,
    access: 'caller',
    keyAction: 'create',
    idempotencyKey: 'replayed',
    body: ref(NewWebForward),
    bodyExample: {
      domain_id: '42',
      target_url: 'https://shop.example.com/start',
      forwarding_type: 'redirect',
      status_code: 302,
    },
    success: {
      status: 201,
      description: 'The web forward.',
      schema: ref(SavedWebForward),
      example,
    },
    problems: ['not-found', 'target-not-allowed', 'stealth-limit', 'conflict', 'domain-locked'],
  },
  updateWebForward: {
    method: 'PUT',
    url: '/api/webforward/{id}',
    summary: 'Change a web forward',
    description: `The domain cannot change: delete the forward and create another. A stealth forward keeps its stealth flag.
${RULES}
${STEALTH} A forward that an administrator disabled cannot be changed: \`forward-disabled\`.
With \`If-Match\` (the \`ETag\` of the forward), the call fails with \`version-mismatch\` if the forward was changed in the meantime.`,
    access: 'caller',
    keyAction: 'update',
    params: byId,
    body: ref(WebForwardChange),
    bodyExample: { target_url: 'https://shop.example.com/sale', status_code: 302 },
    success: {
      status: 200,
      description: 'The changed web forward.',
      schema: ref(SavedWebForward),
      example,
    },
    problems: [
      'not-found',
      'target-not-allowed',
      'stealth-limit',
      'version-mismatch',
      'domain-locked',
      'forward-disabled',
    ],
  },
  deleteWebForward: {
    method: 'DELETE',
    url: '/api/webforward/{id}',
    summary: 'Delete a web forward',
    description:
      'DNS resolves the domain to its own addresses again. The forwarding server answers for the TTL and 60 more seconds. A forward that an administrator disabled cannot be deleted: `forward-disabled`.',
    access: 'caller',
    keyAction: 'delete',
    params: byId,
    success: { status: 204, description: 'The web forward is deleted.' },
    problems: ['not-found', 'domain-locked', 'forward-disabled'],
  },
  checkWebForward: {
    method: 'POST',
    url: '/api/webforward/check',
    summary: 'Check a target',
    description: `Resolves the target, follows at most ${TARGET_REDIRECT_LIMIT} redirects, and checks certificates, circles, and whether the target can be shown in a frame. Nothing is saved. An account can make 120 checks per hour and eight at once, together with those of \`POST\` and \`PUT\`.
${RULES}`,
    access: 'caller',
    keyAction: 'read',
    body: ref(TargetQuestion),
    bodyExample: { target_url: 'shop.example.com/start', domain_id: '42' },
    success: {
      status: 200,
      description: 'What the check found, also if the target does not work.',
      schema: ref(TargetCheck),
      example: example.check_result,
    },
    problems: ['not-found', 'target-not-allowed'],
  },
} as const satisfies Slice
