/** What an event changed in a web forward, in sentences. */
import type { DomainEvent } from '../../../api/domain-history.ts'

type Settings = NonNullable<DomainEvent['new']['forward']>

const quoted = (text: string | null): string | null => (text === null ? null : `“${text}”`)

/** The settings whose value is shown, each before and after. */
const SHOWN: readonly (readonly [string, (settings: Settings) => string | null])[] = [
  ['Target', ({ target_url }) => target_url],
  ['Type', ({ forwarding_type }) => forwarding_type],
  ['Status code', ({ status_code }) => String(status_code)],
  ['Title', ({ title }) => quoted(title)],
  ['Description', ({ description }) => quoted(description)],
  ['Keywords', ({ keywords }) => quoted(keywords)],
]

/** The settings that are on or off. */
const SWITCHES: readonly (readonly [keyof Settings, on: string, off: string])[] = [
  ['is_active', 'The forward is active again', 'The forward is paused'],
  ['forward_path', 'The path is appended', 'The path is no longer appended'],
  ['forward_query', 'The query is appended', 'The query is no longer appended'],
]

/** One value before and after: `IPv4 address set to 198.51.100.7`; undefined if it did not change. */
export function sentence(
  what: string,
  old: string | null,
  next: string | null,
): string | undefined {
  if (old === next) return undefined
  if (old === null) return `${what} set to ${next}`
  if (next === null) return `${what} ${old} removed`
  return `${what} changed from ${old} to ${next}`
}

function disabledSentence(old: Settings, next: Settings): string | undefined {
  if (old.disabled_reason === next.disabled_reason) return undefined
  return next.disabled_reason === null
    ? 'An administrator enabled the forward'
    : `An administrator disabled the forward: ${next.disabled_reason}`
}

/** @returns an empty list for an event that is not about a forward */
export function forwardChangesOf({ old, new: next }: DomainEvent): readonly string[] {
  const [from, to] = [old.forward ?? null, next.forward ?? null]
  if (from === null || to === null) {
    const change = sentence('Target', from?.target_url ?? null, to?.target_url ?? null)
    return change === undefined ? [] : [change]
  }
  const changes = [
    ...SHOWN.map(([what, valueOf]) => sentence(what, valueOf(from), valueOf(to))),
    ...SWITCHES.map(([name, on, off]) =>
      from[name] === to[name] ? undefined : to[name] === true ? on : off,
    ),
    disabledSentence(from, to),
  ]
  return changes.filter((change) => change !== undefined)
}
