/** The text of the search field: words, and operators such as `tag:office`, as filters of the list. */
import { DOMAIN_STATUS, MONITOR_STATES } from '@homing/openapi/vocabulary'
import { searchedName } from '../components/unicode-name.ts'

const OPERATORS = ['zone', 'status', 'monitor', 'type', 'ip', 'tag', 'note'] as const
type OperatorName = (typeof OPERATORS)[number]

const isOperator = (name: string): name is OperatorName =>
  (OPERATORS as readonly string[]).includes(name)

/** Ways to write a status besides the names of the API. */
const STATUS_WORDS: Readonly<Record<string, string>> = { inactive: 'withheld' }
const STATUS_TEXTS = DOMAIN_STATUS.map((status) => status.replace('_', '-'))

const TYPES: Readonly<Record<string, Filter>> = {
  a: { type: 'A' },
  ipv4: { type: 'A' },
  aaaa: { type: 'AAAA' },
  ipv6: { type: 'AAAA' },
  wildcard: { is_wildcard: true },
}

type Filter = Readonly<Record<string, string | boolean>>

/** An operator, and how the user typed it. */
export interface SearchTerm {
  readonly text: string
  readonly name: OperatorName
  readonly value: string
}

export interface DomainSearch {
  /** What is left without the operators. */
  readonly words: string
  readonly terms: readonly SearchTerm[]
  /** Explains each operator that is not applied. */
  readonly faults: readonly string[]
  /** The filter of `GET /api/domains`. */
  readonly filter: Filter
}

/** A word, or an operator whose value can be in quotation marks: `tag:"living room"`. A backslash precedes a mark in the value. */
const PART = /[a-z]+:"(?:\\.|[^"\\])*"?|\S+/gi
/** Part of an IPv6 address, such as `fe80::1`. */
const LIKE_ADDRESS = /^[0-9a-f:]+$/i

function statusFilter(value: string): Filter | string {
  const status = (STATUS_WORDS[value] ?? value).replace('-', '_')
  if ((DOMAIN_STATUS as readonly string[]).includes(status)) return { status }
  return `“status:${value}” is not a status. Use ${STATUS_TEXTS.join(', ')}.`
}

/** A state, or `on`: every monitor that its owner turned on. */
const MONITOR_VALUES: readonly string[] = ['on', ...MONITOR_STATES]

function monitorFilter(value: string): Filter | string {
  if (MONITOR_VALUES.includes(value)) return { monitor: value }
  return `“monitor:${value}” is not a state of a monitor. Use ${MONITOR_VALUES.join(', ')}.`
}

/** The filter of an operator, or why it is not applied. */
function filterOf({ name, value, text }: SearchTerm): Filter | string {
  if (value === '') return `“${text}” needs a value, such as ${name}:${EXAMPLES[name]}.`
  if (name === 'status') return statusFilter(value.toLowerCase())
  if (name === 'monitor') return monitorFilter(value.toLowerCase())
  if (name === 'type') {
    return TYPES[value.toLowerCase()] ?? `“${text}” is not a type. Use A, AAAA or wildcard.`
  }
  if (name === 'zone') return { zone: searchedName(value.toLowerCase()) }
  return { [name]: name === 'tag' || name === 'note' ? value : value.toLowerCase() }
}

const EXAMPLES: Readonly<Record<OperatorName, string>> = {
  zone: 'example.net',
  status: 'paused',
  monitor: 'down',
  type: 'AAAA',
  ip: '192.0.2.',
  tag: 'office',
  note: 'attic',
}

interface Part {
  readonly text: string
  readonly term: SearchTerm | undefined
  /** The name of an operator that does not exist. */
  readonly unknown: string | undefined
}

/** The value without its quotation marks. */
function unquoted(value: string): string {
  const [, quoted] = /^"((?:\\.|[^"\\])*)"?$/s.exec(value) ?? []
  return quoted === undefined ? value : quoted.replaceAll(/\\(.)/gs, '$1')
}

/** The value as it is typed: in quotation marks if it needs them. */
const typedAs = (value: string): string =>
  /^"|\s/.test(value) ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` : value

function partOf(text: string): Part {
  const [, given = '', value = ''] = /^([a-z]+):(.*)$/is.exec(text) ?? []
  const name = given.toLowerCase()
  if (isOperator(name)) {
    const term = { text, name, value: unquoted(value).trim() }
    return { text, term, unknown: undefined }
  }
  const unknown = name === '' || LIKE_ADDRESS.test(text) ? undefined : given
  return { text, term: undefined, unknown }
}

const partsOf = (text: string): Part[] => (text.match(PART) ?? []).map(partOf)

export function readSearch(text: string): DomainSearch {
  const parts = partsOf(text)
  const terms = parts.flatMap(({ term }) => (term === undefined ? [] : [term]))
  const words = parts
    .filter(({ term, unknown }) => term === undefined && unknown === undefined)
    .map((part) => part.text)
    .join(' ')
  const faults = parts.flatMap(({ unknown }) =>
    unknown === undefined
      ? []
      : [`“${unknown}:” is not a filter. Use ${OPERATORS.join(':, ')}: or words of a name.`],
  )
  let filter: Filter = words === '' ? {} : { q: searchedName(words) }
  for (const term of terms) {
    const found = filterOf(term)
    if (typeof found === 'string') faults.push(found)
    else if (Object.keys(found).some((name) => name in filter)) {
      faults.push(`“${term.text}” is not applied: ${term.name}: can be given once.`)
    } else filter = { ...filter, ...found }
  }
  return { words, terms, faults, filter }
}

/** The text without an operator. */
export const withoutTerm = (text: string, { text: gone }: SearchTerm): string =>
  partsOf(text)
    .map((part) => part.text)
    .filter((part) => part !== gone)
    .join(' ')

/** The text with an operator, in place of another value of it. */
export function withTerm(text: string, name: OperatorName, value: string): string {
  const kept = partsOf(text)
    .filter(({ term }) => term?.name !== name)
    .map((part) => part.text)
  return [...kept, `${name}:${typedAs(value)}`].join(' ')
}
