/** Prevents the registration of names that are reserved or impersonate another party. */
import { NAME_RULES, nameKept, type NameRule, type OwnerName, ruleAgainst } from './names.ts'
import { LookalikeNames } from './lookalike-names.ts'
import { withProvider } from './provider-words.ts'
import type { WordList } from './word-list.ts'

/** The requested name, and who requests it. */
export interface NameAsked {
  readonly owner: OwnerName
  /**
   * The zones on offer, whose names belong to the provider. When omitted, the zones of the last call apply.
   */
  readonly zones?: readonly string[]
  /** Whether the caller is exempt from protected words. */
  readonly isAdministrator: boolean
  /** The input field that contains the name. */
  readonly field: string
}

interface GuardConfig {
  /** Words that only an administrator may imitate in a name. */
  readonly protectedWords: WordList
  readonly productName: string
  /** The provider's zones, used until the zones in the database are known. */
  readonly zones: readonly string[]
}

/** The rules for one configuration, and how often each was broken. */
export class NameGuard {
  readonly #config: GuardConfig
  readonly #refusals = new Map<NameRule, number>(NAME_RULES.map((rule) => [rule, 0]))
  #zones = ''
  #lookalikes: LookalikeNames

  constructor(config: GuardConfig) {
    this.#config = config
    this.#lookalikes = this.#over(config.zones)
  }

  /** Refusals since the process started. */
  get refusals(): ReadonlyMap<NameRule, number> {
    return this.#refusals
  }

  #over(zones: readonly string[]): LookalikeNames {
    const { protectedWords, productName } = this.#config
    this.#zones = zones.join(' ')
    return new LookalikeNames(withProvider(protectedWords, productName, zones))
  }

  /** The words are prepared once, and again when the provider's zones change. */
  #know(zones: readonly string[] | undefined): void {
    if (zones && zones.join(' ') !== this.#zones) this.#lookalikes = this.#over(zones)
  }

  /**
   * Whether a name, or names below it, can be registered. Queries nothing and counts nothing.
   *
   * @param zones the zones on offer; when omitted, the zones of the last call apply
   */
  isOpen(owner: OwnerName, zones?: readonly string[]): boolean {
    this.#know(zones)
    return ruleAgainst(owner, this.#lookalikes) === undefined
  }

  /** @throws Refusal `name-not-allowed`, with the same message for every rule */
  requireOpen({ owner, zones, isAdministrator, field }: NameAsked): void {
    this.#know(zones)
    const rule = ruleAgainst(owner, isAdministrator ? undefined : this.#lookalikes)
    if (rule === undefined) return
    this.#refusals.set(rule, (this.#refusals.get(rule) ?? 0) + 1)
    throw nameKept(field, owner.fqdn)
  }
}
