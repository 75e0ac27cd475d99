import { nameKey } from '../names/index.ts'
import { memberOf } from '../settings/network.ts'
import type { Secondary, Settings, TransferRule } from '../settings/shape.ts'
import type { TsigKey } from '../wire/tsig-key.ts'

interface Grant {
  readonly keyName: string | undefined
  readonly isMember: ((address: string) => boolean) | undefined
}

interface Rule {
  readonly zones: TransferRule['zones']
  readonly grants: readonly Grant[]
  readonly notify: readonly Secondary[]
}

/** Who may transfer which zone, and who is notified of its changes. By default, no one. */
export class TransferAccess {
  readonly #keys: Settings['keys']
  readonly #rules: readonly Rule[]

  constructor({ keys, transfers }: Pick<Settings, 'keys' | 'transfers'>) {
    this.#keys = keys
    this.#rules = transfers.map(({ zones, allow, notify }) => ({
      zones,
      notify,
      grants: allow.map(({ key, networks }) => ({
        keyName: key && nameKey(key.name),
        isMember: networks && memberOf(networks),
      })),
    }))
  }

  /** The key with this name. */
  readonly findKey = (keyName: string): TsigKey | undefined => this.#keys.get(keyName)

  /**
   * Whether a client may transfer a zone.
   *
   * @param apexKey `nameKey` of the zone's apex
   * @param key the key of the request's signature, if it is signed
   */
  allows(apexKey: string, client: string, key: TsigKey | undefined): boolean {
    const signedBy = key && nameKey(key.name)
    return (this.#ruleFor(apexKey)?.grants ?? []).some(
      ({ keyName, isMember }) =>
        (keyName === undefined || keyName === signedBy) &&
        (isMember === undefined || isMember(client)),
    )
  }

  /** The secondaries to notify when the zone changes. */
  secondariesOf(apexKey: string): readonly Secondary[] {
    return this.#ruleFor(apexKey)?.notify ?? []
  }

  #ruleFor(apexKey: string): Rule | undefined {
    return this.#rules.find(({ zones }) => zones === 'every' || zones.has(apexKey))
  }
}
