import { nameFromText, nameKey, rdataToText, ROOT_NAME, TYPE } from '../../src/names/index.ts'
import { PostgresFollower, zoneDigest, ZoneStore } from '../../src/store/index.ts'
import { recordEvents, type RecordedEvents } from './store-events.ts'

/** A follower with its store and its events. */
export interface Following extends RecordedEvents {
  readonly store: ZoneStore
  readonly follower: PostgresFollower
  /** The addresses of a name; undefined when it does not exist. */
  addresses(name: string): string[] | undefined
  /** Resolves when the name has exactly these addresses; undefined: when it does not exist. */
  untilAddresses(name: string, addresses: string[] | undefined): Promise<void>
  serial(zone: string): bigint | undefined
  digest(zone: string): Promise<string>
  stop(): Promise<void>
}

/**
 * @param pollMs long by default, so that a passing test proves that the notification arrived
 * @param store the store of an earlier follower, to continue with it
 */
export function follow(
  url: string,
  { pollMs = 600_000, store = new ZoneStore() }: { pollMs?: number; store?: ZoneStore } = {},
): Following {
  const recorded = recordEvents()
  const follower = new PostgresFollower({
    url: () => url,
    store,
    events: recorded.events,
    pollMs,
  })
  follower.start()
  const zoneOf = (name: string) => store.zones.closest(nameKey(nameFromText(name, ROOT_NAME)))
  const addresses = (name: string): string[] | undefined => {
    const node = zoneOf(name)?.node(nameKey(nameFromText(name, ROOT_NAME)))
    if (node === undefined) return undefined
    return (node.rrset(TYPE.A)?.rdata ?? []).map((one) => rdataToText(TYPE.A, one))
  }
  return {
    ...recorded,
    store,
    follower,
    addresses,
    untilAddresses: (name, wanted) =>
      recorded.until(() => JSON.stringify(addresses(name)) === JSON.stringify(wanted)),
    serial: (zone) => zoneOf(zone)?.version.serial,
    async digest(zone) {
      const held = zoneOf(zone)
      return held === undefined ? 'none' : (await zoneDigest(held)).digest
    },
    stop: () => follower.stop(),
  }
}
