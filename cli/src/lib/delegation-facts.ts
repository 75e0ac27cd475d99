/** What a check of a delegation found, as this program shows it. */
import type { components } from '@homing/openapi/client'
import type { Listing } from './output.ts'

type Check = components['schemas']['DelegationCheck']
type DelegationFact = components['schemas']['DelegationFact']
type ParentServer = components['schemas']['ParentServerAnswer']

const MARKS = {
  right: '✓ right',
  incomplete: '! incomplete',
  wrong: '✗ wrong',
  unknown: '? unknown',
} as const satisfies Record<DelegationFact['state'], string>

export const factListing: Listing<DelegationFact> = {
  columns: [
    { title: 'FACT', of: ({ fact }) => fact },
    { title: 'STATE', of: ({ state }) => MARKS[state] },
    { title: 'FOUND', of: ({ message }) => message, fit: 'wrap' },
  ],
  fields: ({ fact, state, message, expected, found }) => [
    'fact',
    fact,
    state,
    message,
    expected.join(' '),
    found.join(' '),
  ],
}

export const parentListing: Listing<ParentServer> = {
  columns: [
    { title: 'PARENT SERVER', of: ({ server, address }) => [server, address] },
    { title: 'BY', of: ({ transport }) => transport ?? '–', dropFirst: 1 },
    {
      title: 'RESPONSE',
      of: ({ message, glue, has_ds }) =>
        [
          message,
          glue.length > 0 ? `Glue: ${glue.join(', ')}.` : '',
          has_ds ? 'Has a DS record.' : '',
        ]
          .filter((sentence) => sentence !== '')
          .join(' '),
      fit: 'wrap',
    },
  ],
  fields: ({ server, address, transport, outcome, message, nameservers, glue, has_ds }) => [
    'parent',
    server,
    address,
    transport,
    outcome,
    message,
    nameservers.join(' '),
    glue.join(' '),
    has_ds,
  ],
}

/** `5 of 7 facts are right.` */
export function rightSentence({ facts }: Check): string {
  const right = facts.filter(({ state }) => state === 'right').length
  return `${right} of ${facts.length} facts are right.`
}

/** Each fact whose state differs from that of an earlier check: `names: wrong → right`. */
export function changedFacts(before: Check | null, after: Check | null): string[] {
  return (after?.facts ?? []).flatMap(({ fact, state }) => {
    const former = before?.facts.find((other) => other.fact === fact)?.state
    return former === undefined || former === state ? [] : [`${fact}: ${former} → ${state}`]
  })
}
