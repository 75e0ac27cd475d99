/*
 * Zone transfers to secondaries over TCP: AXFR (RFC 5936) and IXFR (RFC 1995).
 *
 * A transfer has one version, even if the zone changes meanwhile. Messages are made as the client reads
 * them, interleaved with other work, and each is signed if the request was. `begin` does not start a
 * transfer that is not allowed: it leaves the question to the responder, which refuses it.
 */
import { nameKey, nameToText, serialGreater, soaSerial } from '../names/index.ts'
import type { TransferSource } from '../server/index.ts'
import type { Difference, History } from '../store/history.ts'
import type { ZoneStore } from '../store/index.ts'
import { MAX_MESSAGE_BYTES } from '../wire/header.ts'
import {
  bareReply,
  EDNS_VERSION,
  readRequest,
  type Reply,
  type Request,
  writeMessage,
} from '../wire/index.ts'
import type { TsigKey } from '../wire/tsig-key.ts'
import { findTsig } from '../wire/tsig-record.ts'
import { checkTsig, TsigSigner } from '../wire/tsig-signature.ts'
import type { Zone } from '../zone/index.ts'
import type { TransferAccess } from './access.ts'
import type { SentTransfer, TransferEvents } from './events.ts'
import { packedMessages } from './packed-messages.ts'
import { DEFAULT_TRANSFER_LIMITS, type TransferLimits, TransferPlaces } from './places.ts'
import { haveSerial, transferQuestion, type TransferQuestion } from './question.ts'
import { incremental, wholeZone } from './zone-records.ts'

export interface TransferServerOptions {
  readonly store: ZoneStore
  /** Undefined: every transfer sends the whole zone. */
  readonly history?: Pick<History, 'since'>
  /** Called for each request, since settings change. */
  readonly access: () => TransferAccess
  readonly events: TransferEvents
  readonly limits?: Partial<TransferLimits>
  readonly nowSeconds?: () => number
}

interface TransferRequest {
  readonly request: Request
  readonly question: TransferQuestion
  readonly apexKey: string
  readonly zoneName: string
  readonly client: string
  readonly signer: TsigSigner | undefined
  readonly key: TsigKey | undefined
  /** The request without the signature. */
  readonly message: Buffer
}

/** The records of a transfer, by message, and a function that releases their source. */
interface Content {
  readonly kind: SentTransfer['kind']
  readonly serial: number
  readonly parts: Parameters<typeof packedMessages>[1]
  readonly release: () => void
}

// Differences that need more log than the zone has octets are not worth sending.
const LEAST_HISTORY_BYTES = 1024 * 1024
const BYTES_PER_NAME = 64

export class TransferServer implements TransferSource {
  readonly #options: TransferServerOptions
  readonly #limits: TransferLimits
  readonly #places: TransferPlaces

  constructor(options: TransferServerOptions) {
    this.#options = options
    this.#limits = { ...DEFAULT_TRANSFER_LIMITS, ...options.limits }
    this.#places = new TransferPlaces(this.#limits)
  }

  /** The number of running and waiting transfers. */
  get load(): { readonly underWay: number; readonly waiting: number } {
    return { underWay: this.#places.taken, waiting: this.#places.waiting }
  }

  begin(packet: Uint8Array, client: string): AsyncIterable<Buffer> | undefined {
    if (transferQuestion(packet) === undefined) return undefined
    // The packet belongs to the connection, which will overwrite it.
    const asked = this.#asked(Buffer.from(packet), client)
    if (asked === undefined) return undefined
    const { apexKey, key, zoneName } = asked
    if (!this.#options.access().allows(apexKey, client, key)) {
      this.#options.events.refused(zoneName, client, 'not-allowed')
      return undefined
    }
    return this.#answer(asked)
  }

  /** @returns undefined for a question that the responder must refuse */
  #asked(packet: Buffer, client: string): TransferRequest | undefined {
    const placed = findTsig(packet)
    const check =
      placed && checkTsig(packet, placed, this.#options.access().findKey, this.#nowSeconds())
    const message = check?.kind === 'valid' ? check.message : packet
    const question = transferQuestion(message)
    const request = readRequest(message)
    if (question === undefined || request?.wellFormed !== true) return undefined
    if (request.edns !== undefined && request.edns.version !== EDNS_VERSION) return undefined
    const zoneName = nameToText(question.apex)
    if (check !== undefined && check.kind !== 'valid') {
      this.#options.events.refused(zoneName, client, 'bad-signature')
      return undefined
    }
    const key = check?.key
    const signer = key && new TsigSigner(key, placed?.record.mac)
    const apexKey = nameKey(question.apex)
    return { request, question, apexKey, zoneName, client, signer, key, message }
  }

  async *#answer(asked: TransferRequest): AsyncGenerator<Buffer> {
    const { zoneName, client } = asked
    const { events } = this.#options
    const leave = await this.#places.take(client)
    if (leave === undefined) {
      events.refused(zoneName, client, 'busy')
      yield this.#written(asked, bareReply('REFUSED'))
      return
    }
    let begun = false
    let why: Error | undefined
    try {
      const content = await this.#content(asked)
      if ('rcode' in content) {
        begun = true
        yield this.#written(asked, content)
        return
      }
      try {
        for await (const message of this.#messages(asked, content)) {
          begun = true
          yield message
        }
      } finally {
        content.release()
      }
    } catch (error) {
      why = error instanceof Error ? error : new Error(String(error))
      events.broken(zoneName, client, why)
      // Before the first message, the error can still be sent as an answer.
      if (begun) throw why
      yield this.#written(asked, bareReply('SERVFAIL'))
    } finally {
      leave()
    }
  }

  async *#messages(asked: TransferRequest, content: Content): AsyncGenerator<Buffer> {
    const { zoneName: zone, client, signer, request, question } = asked
    const { kind, serial, parts } = content
    const beganMs = performance.now()
    let [messages, octets, isWhole] = [0, 0, false]
    try {
      for await (const plain of packedMessages(request, parts, signer?.signatureBytes ?? 0)) {
        if (performance.now() - beganMs > this.#limits.lastMs) {
          throw new Error(`it took more than ${this.#limits.lastMs / 60_000} minutes`)
        }
        const message = signer?.sign(plain, this.#nowSeconds()) ?? plain
        messages += 1
        octets += message.length
        yield message
      }
      isWhole = true
      const tookMs = performance.now() - beganMs
      const asked = question.type
      this.#options.events.sent({ zone, client, asked, kind, serial, messages, octets, tookMs })
    } catch (error) {
      isWhole = true
      throw error
    } finally {
      if (!isWhole) this.#options.events.broken(zone, client, undefined)
    }
  }

  /** The content of the transfer, or a refusal. */
  async #content(asked: TransferRequest): Promise<Content | Reply> {
    const { events, store } = this.#options
    const zone = store.zones.get(asked.apexKey)
    // RFC 5936 §2.2.1: this server is not authoritative for the zone.
    if (zone === undefined) return bareReply('NOTAUTH')
    if (zone.isIncomplete) {
      events.refused(asked.zoneName, asked.client, 'incomplete')
      return bareReply('REFUSED', 'NOT_READY')
    }
    if (asked.question.type === 'AXFR') return this.#whole(zone)
    const serial = haveSerial(asked.message, asked.question)
    if (serial === undefined) return bareReply('FORMERR')
    const present = soaSerial(zone.version.serial)
    // RFC 1995 §2: a client that is up to date gets only the SOA.
    if (!serialGreater(present, serial)) return soaAlone(zone)
    return (await this.#differences(zone, serial)) ?? this.#whole(zone)
  }

  async #whole(zone: Zone): Promise<Content> {
    const frozen = await zone.capture()
    return {
      kind: 'whole',
      serial: soaSerial(frozen.version.serial),
      parts: once(wholeZone(frozen)),
      release: () => frozen.release(),
    }
  }

  async #differences(zone: Zone, serial: number): Promise<Content | undefined> {
    const { history, store } = this.#options
    const zoneId = store.idOf(zone)
    if (history === undefined || zoneId === undefined) return undefined
    const { version, soaParameters: soa, soa: present, apex } = zone
    const limitBytes = Math.max(LEAST_HISTORY_BYTES, zone.nameCount * BYTES_PER_NAME)
    const found = await history.since(zoneId, serial, { version, soa }, limitBytes)
    const first = found && (await firstOf(found))
    if (found === undefined || first === undefined) return undefined
    return {
      kind: 'differences',
      serial: soaSerial(version.serial),
      parts: incremental(apex, present, first, found),
      release: () => void found.return(undefined),
    }
  }

  #written({ request, signer }: TransferRequest, reply: Reply): Buffer {
    const limit = MAX_MESSAGE_BYTES - (signer?.signatureBytes ?? 0)
    const { octets } = writeMessage(request, reply, limit)
    return signer?.sign(octets, this.#nowSeconds()) ?? octets
  }

  #nowSeconds(): number {
    return this.#options.nowSeconds?.() ?? Math.floor(Date.now() / 1000)
  }
}

function soaAlone({ apex, soa: rrset, version }: Zone): Content {
  return {
    kind: 'nothing-new',
    serial: soaSerial(version.serial),
    parts: once([{ owner: apex, rrset }]),
    release: () => undefined,
  }
}

async function* once<T>(value: T): AsyncGenerator<T> {
  yield value
}

/** @returns undefined when the logs do not have the differences: the whole zone is sent instead */
async function firstOf(differences: AsyncIterator<Difference>): Promise<Difference | undefined> {
  try {
    const first = await differences.next()
    return first.done === true ? undefined : first.value
  } catch {
    return undefined
  }
}
