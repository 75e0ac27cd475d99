/**
 * Hints for the owner of a name, in addition to a call's code: the common mistakes of routers and
 * their owners. The device gets the code only, because clients search the answer for words.
 */
import { UPDATE_HINTS, type UpdateHint } from '@homing/openapi'
import type { Claim } from './authorization.ts'
import { ADDRESS_PARAMETERS, HOST_PARAMETERS, PREFIX_PARAMETERS, valuesOf } from './parameters.ts'
import type { UpdateRequest } from './update-request.ts'

/** The details of a call that hints depend on. */
export interface HintedCall {
  readonly request: UpdateRequest
  readonly claim: Claim
  /** The call used HTTP, although the service is reached by HTTPS. */
  readonly isOpen: boolean
  /** Whether the request line contained more than one URL. */
  readonly hasTwoUrls: boolean
  /** Hints that earlier steps found. */
  readonly found: readonly UpdateHint[]
}

/** `<ipaddr>` FRITZ!Box · `%i` inadyn, UniFi · `__MYIP__` Synology, OPNsense · `@IP` · `[IP]` OpenWrt · `%IP%` pfSense */
const TEMPLATE =
  /^(<[^<>]*>|%[a-z]+%?|__[a-z0-9_]+__|@[a-z]+@?|\[[a-z0-9]+\]|\$?\{[a-z0-9_]+\}|\$[a-z][a-z0-9_]*)$/i
const APPENDED_NAME = /^(?:\d{1,3}\.){3}\d{1,3}[a-z0-9-]*\.[a-z0-9.-]*[a-z]/i
const SECOND_URL = /\shttps?:/i
const NO_WISH = /^(|nochg|no|off|0|false|none)$/i

const TEXT_PARAMETERS: readonly string[] = [
  ...HOST_PARAMETERS,
  ...ADDRESS_PARAMETERS.map(({ name }) => name),
  ...PREFIX_PARAMETERS,
]

const textsOf = ({ parameters }: UpdateRequest, names: readonly string[]) =>
  names
    .flatMap((name) => valuesOf(parameters, name))
    .flatMap((value) => value.split(','))
    .map((text) => text.trim())

/** A mistake in the values themselves. Checked only when a value could not be read. */
function hintOfTexts(request: UpdateRequest): UpdateHint | undefined {
  const texts = textsOf(request, TEXT_PARAMETERS)
  if (texts.some((text) => SECOND_URL.test(text))) return 'two-urls-in-one'
  if (texts.some((text) => TEMPLATE.test(text))) return 'template-not-filled'
  return texts.some((text) => APPENDED_NAME.test(text)) ? 'name-appended-to-address' : undefined
}

const isUnread = ({ addresses, hosts, isRepaired }: UpdateRequest) =>
  isRepaired || addresses === undefined || hosts.length === 0 || hosts.includes(undefined)

function asksForPaid({ parameters }: UpdateRequest): boolean {
  return ['mx', 'backmx', 'url'].some((name) =>
    valuesOf(parameters, name).some((value) => !NO_WISH.test(value.trim())),
  )
}

/** The most important hint for the owner about a call; null if no hint applies. */
export function hintOf({
  request,
  claim,
  isOpen,
  hasTwoUrls,
  found,
}: HintedCall): UpdateHint | null {
  const hints = new Set<UpdateHint | undefined>(found)
  if (claim.hasPasswordInUrl) hints.add('account-password-in-url')
  if (hasTwoUrls) hints.add('two-urls-in-one')
  if (isUnread(request)) hints.add(hintOfTexts(request))
  if (request.addresses?.ipv6Prefix) hints.add('prefix-sent-as-address')
  if (asksForPaid(request)) hints.add('paid-parameter-ignored')
  if (isOpen) hints.add('not-encrypted')
  return UPDATE_HINTS.find((hint) => hints.has(hint)) ?? null
}
