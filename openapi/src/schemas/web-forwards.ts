import { Type, type Static } from 'typebox'
import { Id, nullable, record, ref, Time } from '../schema.ts'
import {
  FORWARD_FALLBACKS,
  FORWARD_STATUS_CODES,
  FORWARD_TEXT_LIMITS,
  FORWARDING_TYPES,
  TARGET_FINDINGS,
  TARGET_REDIRECT_LIMIT,
} from '../vocabulary.ts'

const targetUrl = Type.String({
  minLength: 1,
  maxLength: FORWARD_TEXT_LIMITS.target_url,
  description: 'The target: an http or https URL. A host without a scheme becomes https.',
  examples: ['https://shop.example.com/start'],
})
const forwardingType = Type.Enum([...FORWARDING_TYPES], {
  description:
    '`redirect`: the browser goes to the target. `stealth`: the domain shows the target in a frame and stays in the address bar.',
})
const statusCode = Type.Enum([...FORWARD_STATUS_CODES], {
  description:
    'The status of the redirect. Browsers keep 301 and 308; 307 and 308 keep the method of the request.',
})
const ofStealth = (name: 'title' | 'description' | 'keywords', description: string) =>
  nullable(
    Type.String({
      maxLength: FORWARD_TEXT_LIMITS[name],
      description: `${description} Only for stealth; null for a redirect.`,
    }),
  )
const forwardPath = Type.Boolean({
  description: 'Whether the path of the request is appended to the target.',
})
const forwardQuery = Type.Boolean({
  description: 'Whether the query of the request is appended to the target.',
})
const isActive = Type.Boolean({
  description: 'Whether the owner wants the domain to be forwarded. False: the forward is paused.',
})

/** What the owner of a forward decides. */
const settings = {
  target_url: targetUrl,
  forwarding_type: forwardingType,
  status_code: statusCode,
  title: ofStealth('title', 'The title of the page.'),
  description: ofStealth('description', 'The description of the page, for search engines.'),
  keywords: ofStealth('keywords', 'The keywords of the page.'),
  forward_path: forwardPath,
  forward_query: forwardQuery,
  is_active: isActive,
}

const disabledReason = nullable(
  Type.String({
    description: 'Why an administrator disabled the forward. Null: it is not disabled.',
  }),
)

export const WebForwardSettings = record(
  'WebForwardSettings',
  { ...settings, disabled_reason: disabledReason },
  'The settings of a web forward, as the history of its domain keeps them.',
)
export type WebForwardSettings = Static<typeof WebForwardSettings>

/** A reason for which a stealth forward acts as a redirect. */
const Fallback = Type.Unsafe<(typeof FORWARD_FALLBACKS)[number] | null>({
  enum: [...FORWARD_FALLBACKS, null],
  description:
    'Why a stealth forward acts as a redirect: the target refuses frames, the target uses http and the page https, or the plan has no stealth flag for it. Null: it does not.',
})

export const TargetHop = record('TargetHop', {
  url: Type.String({
    maxLength: 300,
    description: 'A longer URL is cut, and its last character is `…`.',
  }),
  status: nullable(
    Type.Integer({ description: 'The status of the response. Null: there was no response.' }),
  ),
})
export type TargetHop = Static<typeof TargetHop>

export const TargetCheck = record(
  'TargetCheck',
  {
    target_url: Type.String({ description: 'The target in its stored form.' }),
    finding: Type.Enum([...TARGET_FINDINGS], {
      description:
        '`reachable`: the target answers. `leads-back`: it leads to this service or to a domain that is forwarded in a circle. `error-status`: it answers with a status from 400.',
    }),
    message: Type.String({ description: 'The finding, for people.' }),
    hops: Type.Array(ref(TargetHop), {
      maxItems: TARGET_REDIRECT_LIMIT + 2,
      description: 'The target and its redirects, in order.',
    }),
    frames: Type.Enum(['allowed', 'refused', 'unknown'], {
      description:
        'Whether the target can be shown in a frame, by `X-Frame-Options` and the `frame-ancestors` of its Content Security Policy.',
    }),
    fallback: Fallback,
    checked_at: Time,
  },
  'What the check of a target found.',
)
export type TargetCheck = Static<typeof TargetCheck>

export const webForwardFields = {
  id: Id,
  domain_id: { ...Id, description: 'The domain that is forwarded.' },
  fqdn: Type.String({ examples: ['home.example.net'] }),
  ...settings,
  fallback: Fallback,
  uses_stealth_flag: Type.Boolean({
    description: 'Whether the forward counts towards the stealth flags of the plan.',
  }),
  hits_7d: Type.Integer({ description: 'The requests of the last seven days.' }),
  last_checked_at: nullable(Time),
  check_result: Type.Unsafe<TargetCheck | null>({
    anyOf: [{ $ref: 'TargetCheck#' }, { type: 'null' }],
  }),
  disabled_reason: disabledReason,
  created_at: Time,
  version: Type.Integer({
    description:
      'The ETag of the forward. It increases with every change of a setting, of `fallback` and of `disabled_reason`.',
  }),
}

export const WebForward = record(
  'WebForward',
  webForwardFields,
  'A domain that leads visitors to another URL.',
)
export type WebForward = Static<typeof WebForward>

export const SavedWebForward = record(
  'SavedWebForward',
  {
    ...webForwardFields,
    warning: Type.Optional(
      Type.String({ description: 'What to know about the target, for people.' }),
    ),
  },
  'A web forward that was created or changed.',
)
export type SavedWebForward = Static<typeof SavedWebForward>

const optional = {
  forwarding_type: Type.Optional(forwardingType),
  status_code: Type.Optional(statusCode),
  title: Type.Optional(settings.title),
  description: Type.Optional(settings.description),
  keywords: Type.Optional(settings.keywords),
  forward_path: Type.Optional(forwardPath),
  forward_query: Type.Optional(forwardQuery),
  is_active: Type.Optional(isActive),
}

export const NewWebForward = record(
  'NewWebForward',
  { domain_id: { ...Id, description: 'One of your domains.' }, target_url: targetUrl, ...optional },
  'Defaults: `redirect`, status 301, path and query appended, active.',
)
export type NewWebForward = Static<typeof NewWebForward>

export const WebForwardChange = record(
  'WebForwardChange',
  {
    domain_id: Type.Optional({
      ...Id,
      description: 'Accepted if it is the domain of the forward: the domain cannot change.',
    }),
    target_url: Type.Optional(targetUrl),
    ...optional,
  },
  'Absent fields stay as they are.',
)
export type WebForwardChange = Static<typeof WebForwardChange>

export const TargetQuestion = record('TargetQuestion', {
  target_url: targetUrl,
  domain_id: Type.Optional({
    ...Id,
    description: 'The domain that would be forwarded, to find circles.',
  }),
})
export type TargetQuestion = Static<typeof TargetQuestion>

export const WebForwardUsage = record('WebForwardUsage', {
  total_forwards: Type.Integer(),
  stealth_flags_used: Type.Integer({
    description: 'Stealth forwards that do not act as redirects.',
  }),
  max_stealth_flags: Type.Integer({ description: 'The stealth flags of the plan.' }),
  remaining_stealth_flags: Type.Integer(),
  can_create_redirect: Type.Boolean({ description: 'Whether the plan includes web forwarding.' }),
  can_create_stealth: Type.Boolean({
    description: 'Whether the plan includes web forwarding and a stealth flag is left.',
  }),
})
export type WebForwardUsage = Static<typeof WebForwardUsage>
