/** Keeps names from being registered that are reserved, or that pass themselves off as somebody else's. */
import { NAME_RULES, nameKept, type NameRule, type OwnerName, ruleAgainst } from './names.ts'
import { LookalikeNames } from './lookalike-names.ts'
import { withProvider } from './provider-words.ts'
import type { WordList } from './word-list.ts'

/** The name that is asked for, and by whom. */
export interface NameAsked {
  readonly owner: OwnerName
  /** The zones on offer, whose names are the provider's; those that were named last where nobody looked. */
  readonly zones?: readonly string[]
  /** Whether protected words do not stop the caller. */
  readonly isAdministrator: boolean
  /** The field of the input that has the name. */
  readonly field: string
}

interface GuardConfig {
  /** Words that only an administrator may imitate in a name. */
  readonly protectedWords: WordList
  readonly productName: string
  /** The provider's zones, until the database's are known. */
  readonly zones: readonly string[]
}

/** The rules over the words of one configuration, and how often each was broken. */
export class NameGuard {
  readonly #config: GuardConfig
  readonly #refusals = new Map<NameRule, number>(NAME_RULES.map((rule) => [rule, 0]))
  #zones = ''
  #lookalikes: LookalikeNames

  constructor(config: GuardConfig) {
    this.#config = config
    this.#lookalikes = this.#over(config.zones)
  }

  /** Refusals since the process began. */
  get refusals(): ReadonlyMap<NameRule, number> {
    return this.#refusals
  }

  #over(zones: readonly string[]): LookalikeNames {
    const { protectedWords, productName } = this.#config
    this.#zones = zones.join(' ')
    return new LookalikeNames(withProvider(protectedWords, productName, zones))
  }

  /** Whether somebody may register a name, or names below it. Asks nobody and counts nothing. */
  isOpen(owner: OwnerName): boolean {
    return ruleAgainst(owner, this.#lookalikes) === undefined
  }

  /** @throws Refusal `name-not-allowed`, in the same words for every rule */
  requireOpen({ owner, zones, isAdministrator, field }: NameAsked): void {
    // The words are made ready once, and anew when the provider has other zones.
    if (zones && zones.join(' ') !== this.#zones) this.#lookalikes = this.#over(zones)
    const rule = ruleAgainst(owner, isAdministrator ? undefined : this.#lookalikes)
    if (rule === undefined) return
    this.#refusals.set(rule, (this.#refusals.get(rule) ?? 0) + 1)
    throw nameKept(field, owner.fqdn)
  }
}
