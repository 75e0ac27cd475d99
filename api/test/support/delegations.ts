/** Parent zones without a network. */
import type { DelegationCheck } from '@homing/openapi'
import { DELEGATION_FACTS } from '@homing/openapi/vocabulary'
import type {
  DelegationChecks,
  DelegationFindings,
  DelegationRequest,
} from '../../src/delegation/types.ts'

/** What a parent zone says about a domain. */
export interface ParentState {
  /** The name servers to which it delegates. `right`: the expected ones. */
  readonly ns: readonly string[] | 'right'
  /** The texts of the TXT record where the domain is hosted. */
  readonly txt?: readonly string[]
}

/** Parent zones without a network: domains that no test set are not delegated. */
export class FakeDelegations implements DelegationChecks {
  readonly #parents = new Map<string, ParentState | 'silent'>()
  readonly requests: DelegationRequest[] = []
  /** Awaited by each check. */
  pause: (() => Promise<void>) | undefined

  set(domain: string, state: ParentState | 'silent'): void {
    this.#parents.set(domain, state)
  }

  check = async (request: DelegationRequest): Promise<DelegationFindings> => {
    this.requests.push(request)
    await this.pause?.()
    const state = this.#parents.get(request.domain) ?? { ns: [] }
    const expected = request.nameservers.map(({ hostname }) => hostname)
    if (state === 'silent') return findings('unknown', expected, [])
    const found = state.ns === 'right' ? expected : state.ns
    // A proof stands beside the name servers.
    const others = found.filter((name) => request.ownershipNames?.includes(name) !== true)
    const isRight = others.toSorted().join(' ') === expected.toSorted().join(' ')
    const isOurs = found.some((name) => expected.includes(name))
    return {
      ...findings(isRight ? 'right' : 'wrong', expected, found),
      isDelegatedToUs: isOurs,
      parentNs: found,
      txt: isOurs ? undefined : (state.txt ?? []),
    }
  }
}

function findings(
  state: 'right' | 'wrong' | 'unknown',
  expected: readonly string[],
  found: readonly string[],
): DelegationFindings {
  const message = `The parent zone names ${found.join(', ') || 'nothing'}.`
  const check: DelegationCheck = {
    is_right: state === 'right',
    parent_zone: 'test',
    facts: DELEGATION_FACTS.map((fact) => ({
      fact,
      state,
      message,
      expected: [...expected],
      found: [...found],
    })),
    parent_servers: [],
    checked_at: '2026-05-12T08:30:00.000Z',
    duration_ms: 5,
  }
  return { check, isDelegatedToUs: undefined, parentNs: [], txt: undefined }
}
