/* Zones in a store, and transfers of them. */
import type { ZoneStore } from '../../src/store/index.ts'
import type { NewChangeSet } from '../../src/store/zone-store.ts'
import { ZoneStore as Store } from '../../src/store/index.ts'
import type { SentTransfer, TransferEvents } from '../../src/transfer/events.ts'
import { TransferServer, type TransferServerOptions } from '../../src/transfer/transfer-server.ts'
import type { Zone } from '../../src/zone/index.ts'
import { read, type Read } from './ask.ts'
import { recordOctets, requestOctets, type RequestOptions } from './request-octets.ts'

/** The recorded events of transfers. */
export interface RecordedTransfers {
  readonly events: TransferEvents
  readonly told: string[]
  readonly sent: SentTransfer[]
}

export function recordTransfers(): RecordedTransfers {
  const told: string[] = []
  const sent: SentTransfer[] = []
  const events: TransferEvents = {
    refused: (...what) => told.push(['refused', ...what].join(' ')),
    sent(transfer) {
      sent.push(transfer)
      told.push(`sent ${transfer.kind} ${transfer.zone} ${transfer.client}`)
    },
    broken: (zone, client, why) =>
      told.push(`broken ${zone} ${client} ${why?.message ?? 'by the client'}`),
    acknowledged: (...what) => told.push(['acknowledged', ...what].join(' ')),
    unacknowledged: (...what) => told.push(['unacknowledged', ...what].join(' ')),
  }
  return { events, told, sent }
}

/** A store with these zones, with ids from 1. */
export async function storeOf(...zones: readonly Zone[]): Promise<ZoneStore> {
  const store = new Store()
  for (const [index, zone] of zones.entries()) await store.replace(String(index + 1), zone)
  return store
}

/** The next change set of a zone of `zoneFromText`. */
export function nextSet(zone: Zone, changes: NewChangeSet['changes']): NewChangeSet {
  const { serial, feedId, token } = zone.version
  const version = { serial: serial + 1n, feedId, token: `${token}+` }
  return { version, previousToken: token, changes }
}

export function transferServer(
  options: Omit<TransferServerOptions, 'events'>,
): RecordedTransfers & { readonly server: TransferServer } {
  const recorded = recordTransfers()
  return { ...recorded, server: new TransferServer({ ...options, events: recorded.events }) }
}

/** A request for the changes since a serial. */
export function ixfrRequest(name: string, serial: number, options: RequestOptions = {}): Buffer {
  const request = requestOctets(name, 'IXFR', options)
  const numbers = Buffer.alloc(20)
  numbers.writeUInt32BE(serial)
  const soa = recordOctets(
    Buffer.from([0xc0, 12]),
    6,
    {},
    Buffer.concat([Buffer.alloc(2), numbers]),
  )
  request.writeUInt16BE(1, 8)
  // The question comes before the contents of the additional section, if there are any.
  const question = requestOctets(name, 'IXFR').length
  return Buffer.concat([request.subarray(0, question), soa, request.subarray(question)])
}

/** The messages of a transfer in order, as octets and as parsed by a DNS library. */
export async function received(
  messages: AsyncIterable<Buffer> | undefined,
): Promise<{ octets: Buffer[]; read: Read[]; records: string[] }> {
  if (messages === undefined) throw new Error('nothing was transferred')
  const octets: Buffer[] = []
  for await (const message of messages) octets.push(message)
  const all = octets.map(read)
  return { octets, read: all, records: all.flatMap(({ answer }) => answer) }
}
