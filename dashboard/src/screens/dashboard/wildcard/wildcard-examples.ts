/** Which rule answers for names at and below a domain that has a wildcard (RFC 4592). */
import type { Domain } from '../../../api/domains.ts'

interface WildcardExample {
  readonly name: string
  /** The rule, as a sentence. */
  readonly rule: string
}

const UNDEFINED_NAME = 'anything'

/**
 * Three examples.
 *
 * @param below one of the account's domains below the base, if there is one
 */
export function wildcardExamples(
  { fqdn }: Pick<Domain, 'fqdn'>,
  below: string | undefined,
): readonly WildcardExample[] {
  const wildcard = `*.${fqdn}`
  const matched = (name: string): WildcardExample => ({
    name,
    rule: `Does not exist, so ${wildcard} answers.`,
  })
  if (below === undefined) {
    return [
      matched(`${UNDEFINED_NAME}.${fqdn}`),
      matched(`one.two.${fqdn}`),
      { name: fqdn, rule: 'Exists. Its own record answers.' },
    ]
  }
  return [
    matched(`${UNDEFINED_NAME}.${fqdn}`),
    { name: below, rule: 'Exists. Its own record answers.' },
    {
      name: `${UNDEFINED_NAME}.${below}`,
      rule: `Has no answer: ${below} exists, and the wildcard does not reach below it.`,
    },
  ]
}
