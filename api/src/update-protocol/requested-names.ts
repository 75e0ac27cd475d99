/** The names in a request. */
import { NameError, parseHostName } from '@homing/dnsd/names'
import { HOST_PARAMETERS, type Parameters, valuesOf, withoutSecondUrl } from './parameters.ts'

/** Maximum number of names in one request; more get `numhost`. */
export const HOSTS_LIMIT = 20

/** A requested name in stored form; undefined when the text is not a valid name. */
export type WantedHost = string | undefined

const isTrimmed = (text: string, at: number) => text[at] === '.' || text[at]?.trim() === ''

/**
 * Removes dots and spaces around a text. A loop, because a pattern would take quadratic time on a text of dots.
 */
function trimmed(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && isTrimmed(text, from)) from += 1
  while (to > from && isTrimmed(text, to - 1)) to -= 1
  return text.slice(from, to)
}

/** Parses a name. A single label is valid only in dialects that allow labels. */
export function hostOf(text: string, mayBeLabel = false): WantedHost {
  try {
    const name = parseHostName(trimmed(text))
    return mayBeLabel || name.includes('.') ? name : undefined
  } catch (error) {
    if (error instanceof NameError) return undefined
    throw error
  }
}

/** Old clients send `YES` as a placeholder. */
const isNoName = (text: string) => text === '' || /^yes$/i.test(text)

/** Keeps one more than the limit, to detect an excess. Anyone can send thousands, before credentials are checked. */
function hostsIn(list: string, mayBeLabel: boolean): WantedHost[] {
  const texts = withoutSecondUrl(list)
    .split(',')
    .map((text) => text.trim())
    .filter((text) => !isNoName(text))
  return texts.slice(0, HOSTS_LIMIT + 1).map((text) => hostOf(text, mayBeLabel))
}

/**
 * The names of a request, in its order. If a parameter was given twice (UniFi gateways do that),
 * the last list that consists of valid names counts.
 *
 * @param mayBeLabels whether `home` means the caller's name that begins with this label
 */
export function readHosts(parameters: Parameters, mayBeLabels = false): readonly WantedHost[] {
  for (const name of HOST_PARAMETERS) {
    if (parameters[name] === undefined) continue
    const lists = valuesOf(parameters, name)
      .map((list) => hostsIn(list, mayBeLabels))
      .filter((hosts) => hosts.length > 0)
    const chosen = lists.findLast((hosts) => !hosts.includes(undefined)) ?? lists.at(-1)
    if (chosen !== undefined) return chosen
  }
  return []
}
