/** Web forwards as this program shows and takes them. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { FORWARD_STATUS_CODES } from '@homing/openapi/vocabulary'
import * as Flags from '@oclif/core/flags'
import { listOf } from './api.ts'
import { canonicalName } from './canonical-name.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure, usage } from './failure.ts'
import { wholeName } from './names.ts'
import type { Fact, Listing } from './output.ts'
import { ago, printable } from './text.ts'

type Forward = components['schemas']['WebForward']
type Check = components['schemas']['TargetCheck']
type Change = components['schemas']['WebForwardChange']

export const FORWARD_FIELDS = [
  'id',
  'domain_id',
  'fqdn',
  'target_url',
  'forwarding_type',
  'status_code',
  'title',
  'description',
  'keywords',
  'forward_path',
  'forward_query',
  'is_active',
  'fallback',
  'uses_stealth_flag',
  'hits_7d',
  'last_checked_at',
  'check_result',
  'disabled_reason',
  'created_at',
  'version',
] as const satisfies readonly (keyof Forward)[]

export const CHECK_FIELDS = [
  'target_url',
  'finding',
  'message',
  'hops',
  'frames',
  'fallback',
  'checked_at',
] as const satisfies readonly (keyof Check)[]

/** What visitors get, in a few words. */
function typeOf({ forwarding_type, fallback, status_code }: Forward): string {
  if (forwarding_type === 'redirect') return `redirect ${status_code}`
  return fallback === null ? 'stealth' : `redirect ${status_code} (${fallback})`
}

function stateOf({ disabled_reason, is_active }: Forward): string {
  if (disabled_reason !== null) return 'disabled'
  return is_active ? 'active' : 'paused'
}

export const forwardListing: Listing<Forward> = {
  columns: [
    { title: 'DOMAIN', of: ({ fqdn }) => fqdn },
    { title: 'TARGET', of: ({ target_url }) => target_url },
    { title: 'TYPE', of: typeOf },
    { title: 'HITS', of: ({ hits_7d }) => String(hits_7d), dropFirst: 2 },
    {
      title: 'CHECKED',
      of: ({ last_checked_at }) =>
        last_checked_at === null ? 'never' : ago(last_checked_at, Date.now()),
      dropFirst: 1,
    },
    { title: 'STATE', of: stateOf },
  ],
  fields: (forward) => [
    forward.fqdn,
    forward.target_url,
    forward.forwarding_type,
    forward.status_code,
    stateOf(forward),
    forward.hits_7d,
  ],
}

const yesNo = (value: boolean) => (value ? 'yes' : 'no')

export function forwardFacts(forward: Forward): Fact[] {
  return [
    ['domain', forward.fqdn],
    ['target', forward.target_url],
    ['type', typeOf(forward)],
    ['state', stateOf(forward)],
    ['disabled because', forward.disabled_reason],
    ['appends path', yesNo(forward.forward_path)],
    ['appends query', yesNo(forward.forward_query)],
    ['title', forward.title],
    ['description', forward.description],
    ['keywords', forward.keywords],
    ['stealth flag', yesNo(forward.uses_stealth_flag)],
    ['hits in 7 days', forward.hits_7d],
    ['checked', forward.last_checked_at],
    ['check', forward.check_result?.message ?? null],
    ['version', forward.version],
  ]
}

/** The message is for stderr. */
export function checkFacts(check: Check): Fact[] {
  return [
    ['target', check.target_url],
    ['finding', check.finding],
    ['way', check.hops.map(({ url, status }) => `${url} (${status ?? 'no response'})`).join(' → ')],
    ['frames', check.frames],
  ]
}

/** What a stealth forward to the target would do, if it would not show it in a frame. */
export const fallbackNote = ({ fallback }: Check): string | undefined =>
  fallback === null ? undefined : `A stealth forward would redirect instead: ${fallback}.`

/** The forward of one of the caller's domains. @throws CommandFailure when the domain has none */
export async function findForward(api: ApiClient, typed: string): Promise<Forward> {
  const fqdn = canonicalName(await wholeName(api, typed))
  const forwards = listOf(await api.GET('/api/webforward'), 'id', 'fqdn')
  const found = forwards.find((forward) => forward.fqdn === fqdn)
  if (found !== undefined) return found
  throw new CommandFailure(
    EXIT.notFound,
    `${printable(fqdn)} has no web forward. List yours: homing forwards`,
  )
}

/** The flags of settings that `add` and `update` share. */
export const settingFlags = {
  stealth: Flags.boolean({
    description: 'show the target in a frame; the domain stays in the address bar',
    allowNo: true,
  }),
  status: Flags.option({
    description: 'the status of the redirect; browsers keep 301 and 308',
    options: FORWARD_STATUS_CODES.map(String),
  })(),
  title: Flags.string({ description: 'the title of the stealth page', helpValue: 'TEXT' }),
  description: Flags.string({
    description: 'the description of the stealth page',
    helpValue: 'TEXT',
  }),
  keywords: Flags.string({ description: 'the keywords of the stealth page', helpValue: 'TEXT' }),
  path: Flags.boolean({ description: 'append the path of the request', allowNo: true }),
  query: Flags.boolean({ description: 'append the query of the request', allowNo: true }),
  active: Flags.boolean({ description: 'forward visitors; --no-active pauses', allowNo: true }),
}

interface SettingFlags {
  readonly stealth?: boolean
  readonly status?: string | undefined
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly keywords?: string | undefined
  readonly path?: boolean
  readonly query?: boolean
  readonly active?: boolean
}

/** While the service checks a target, which can take ten seconds. */
export const CHECKING = 'Checking the target…'

/**
 * The settings that the flags give.
 *
 * @param former the type of the forward without a flag for it; undefined: not known yet
 * @throws CommandFailure for texts without a stealth page, which the service would drop
 */
export function settingsOf(
  flags: SettingFlags,
  former?: Forward['forwarding_type'],
): Omit<Change, 'domain_id' | 'target_url'> {
  const { stealth, status, title, description, keywords, path, query, active } = flags
  const hasText = [title, description, keywords].some((text) => text !== undefined && text !== '')
  if (hasText && (stealth === false || (stealth === undefined && former === 'redirect'))) {
    throw usage(
      '--title, --description and --keywords are only for a stealth page. Give --stealth.',
    )
  }
  const code = FORWARD_STATUS_CODES.find((known) => String(known) === status)
  return {
    ...(stealth !== undefined && { forwarding_type: stealth ? 'stealth' : 'redirect' }),
    ...(code !== undefined && { status_code: code }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(keywords !== undefined && { keywords }),
    ...(path !== undefined && { forward_path: path }),
    ...(query !== undefined && { forward_query: query }),
    ...(active !== undefined && { is_active: active }),
  }
}
