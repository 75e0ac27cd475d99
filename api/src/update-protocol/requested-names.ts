/** Which names a request is about. */
import { NameError, parseHostName } from '@homing/dnsd/names'
import { HOST_PARAMETERS, type Parameters, valuesOf, withoutSecondUrl } from './parameters.ts'

/** Most names of one request; more are answered `numhost`. */
export const HOSTS_LIMIT = 20

/** A name that was asked for, in the form in which names are kept; undefined where the text is none. */
export type WantedHost = string | undefined

const isTrimmed = (text: string, at: number) => text[at] === '.' || text[at]?.trim() === ''

/** Without dots and spaces around it; by hand, because the pattern for it takes quadratic time on dots alone. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && isTrimmed(text, from)) from += 1
  while (to > from && isTrimmed(text, to - 1)) to -= 1
  return text.slice(from, to)
}

/** Reads a text as a name; a single label is one only where the dialect has such. */
export function hostOf(text: string, mayBeLabel = false): WantedHost {
  try {
    const name = parseHostName(trimmed(text))
    return mayBeLabel || name.includes('.') ? name : undefined
  } catch (error) {
    if (error instanceof NameError) return undefined
    throw error
  }
}

/** `YES` is what old clients send where they have nothing to send. */
const isNoName = (text: string) => text === '' || /^yes$/i.test(text)

/** One more than the limit tells that there are too many; anybody may send thousands, before credentials are looked at. */
function hostsIn(list: string, mayBeLabel: boolean): WantedHost[] {
  const texts = withoutSecondUrl(list)
    .split(',')
    .map((text) => text.trim())
    .filter((text) => !isNoName(text))
  return texts.slice(0, HOSTS_LIMIT + 1).map((text) => hostOf(text, mayBeLabel))
}

/**
 * The names of a request, in its order. Of a parameter that was given twice (UniFi gateways
 * do that) the last list counts in which every text is a name.
 *
 * @param mayBeLabels whether `home` stands for the caller's name that begins so
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
