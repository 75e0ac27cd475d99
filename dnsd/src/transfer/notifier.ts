/*
 * Notifies secondaries of zone changes (RFC 1996).
 *
 * An errand is one zone and one secondary. A change sends a message at once if the errand is idle. Changes that come
 * before the answer, or shortly after the last message, are combined in the next message. A message without an answer
 * is retried with increasing back-off and abandoned after some tries. The secondary then finds the change when its
 * SOA's REFRESH expires, and the next change starts anew. A rate limit for all errands prevents a flood when a server
 * with thousands of zones starts.
 */
import { randomInt } from 'node:crypto'
import { nameToText } from '../names/index.ts'
import type { Secondary } from '../settings/settings.ts'
import { RCODE } from '../wire/index.ts'
import { findTsig } from '../wire/tsig-record.ts'
import { checkTsig, TsigSigner } from '../wire/tsig-signature.ts'
import type { Zone } from '../zone/index.ts'
import type { TransferAccess } from './access.ts'
import type { TransferEvents } from './events.ts'
import { notifyMessage, readNotifyAnswer } from './notify-message.ts'
import { NotifySockets } from './notify-sockets.ts'

export interface NotifyTimes {
  /** The minimum time between two messages of one errand for different changes. */
  readonly gapMs: number
  /** The time-out of the first message; it doubles with each retry. */
  readonly answerMs: number
  readonly tries: number
  /** The rate limit of all errands together. */
  readonly messagesPerSecond: number
}

// NSD 4.6 applies transfers once a second, and transfers the whole zone again when two came within that time. Busy
// zones therefore notify less often.
const DEFAULT_TIMES: NotifyTimes = {
  gapMs: 2_000,
  answerMs: 1_000,
  tries: 6,
  messagesPerSecond: 200,
}

export interface NotifierOptions {
  /** The zone with an origin's `nameKey`; undefined when it is no longer served. */
  readonly zone: (originKey: string) => Zone | undefined
  readonly access: () => TransferAccess
  readonly events: TransferEvents
  /** The addresses that this server answers on. */
  readonly hosts: readonly string[]
  readonly times?: Partial<NotifyTimes>
  readonly nowSeconds?: () => number
}

interface Errand {
  readonly originKey: string
  readonly secondary: Secondary
  id: number
  tries: number
  /** Whether the zone changed since the last message. */
  hasNews: boolean
  state: 'idle' | 'queued' | 'sent'
  sentAtMs: number
  timer: NodeJS.Timeout | undefined
  mac: Buffer | undefined
  /** Whether the missing answer has been reported. */
  isLost: boolean
}

const HIGHEST_ID = 0xffff

export class Notifier {
  readonly #options: NotifierOptions
  readonly #times: NotifyTimes
  readonly #sockets: NotifySockets
  readonly #errands = new Map<string, Errand>()
  readonly #byId = new Map<number, Errand>()
  readonly #queue: Errand[] = []
  #nextSendAtMs = 0
  #sending: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: NotifierOptions) {
    this.#options = options
    this.#times = { ...DEFAULT_TIMES, ...options.times }
    this.#sockets = new NotifySockets(options.hosts, (packet, address, port) =>
      this.#answered(packet, address, port),
    )
  }

  /**
   * Call it when a zone changed, or to notify secondaries for the first time. Incomplete zones are skipped, because
   * their transfer is refused.
   */
  changed(originKey: string): void {
    if (this.#isClosed || this.#options.zone(originKey)?.isIncomplete === true) return
    for (const secondary of this.#options.access().secondariesOf(originKey)) {
      const name = `${originKey}\n${secondary.address} ${secondary.port}`
      let errand = this.#errands.get(name)
      // The settings may have changed; the current ones determine the key.
      if (errand === undefined || errand.secondary.key !== secondary.key) {
        if (errand !== undefined) this.#drop(name, errand)
        errand = newErrand(originKey, secondary)
        this.#errands.set(name, errand)
      }
      errand.hasNews = true
      if (errand.state === 'idle') this.#queueLater(errand)
    }
  }

  /** Call it when a zone is removed: its secondaries are no longer notified. */
  forget(originKey: string): void {
    for (const [name, errand] of this.#errands) {
      if (errand.originKey === originKey) this.#drop(name, errand)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const [name, errand] of this.#errands) this.#drop(name, errand)
    clearTimeout(this.#sending)
    this.#sockets.close()
  }

  #drop(name: string, errand: Errand): void {
    clearTimeout(errand.timer)
    this.#byId.delete(errand.id)
    this.#errands.delete(name)
    // Queue entries of an idle errand are skipped.
    errand.state = 'idle'
  }

  /** Queues the errand now, or as soon as the minimum gap since the last message has passed. */
  #queueLater(errand: Errand): void {
    const waitMs = errand.sentAtMs + this.#times.gapMs - performance.now()
    errand.state = 'queued'
    if (waitMs <= 0) {
      this.#enqueue(errand)
      return
    }
    errand.timer = setTimeout(() => this.#enqueue(errand), waitMs)
    errand.timer.unref()
  }

  #enqueue(errand: Errand): void {
    errand.state = 'queued'
    this.#queue.push(errand)
    this.#sendDue()
  }

  #sendDue(): void {
    clearTimeout(this.#sending)
    this.#sending = undefined
    const spacingMs = 1_000 / this.#times.messagesPerSecond
    // A late timer catches up with at most a tenth of a second's messages at once.
    this.#nextSendAtMs = Math.max(this.#nextSendAtMs, performance.now() - 100)
    while (this.#queue.length > 0 && this.#nextSendAtMs <= performance.now()) {
      const errand = this.#queue.shift()
      if (errand?.state !== 'queued') continue
      this.#send(errand)
      this.#nextSendAtMs += spacingMs
    }
    if (this.#queue.length === 0) return
    const waitMs = Math.max(1, this.#nextSendAtMs - performance.now())
    this.#sending = setTimeout(() => this.#sendDue(), waitMs)
    this.#sending.unref()
  }

  #send(errand: Errand): void {
    const zone = this.#options.zone(errand.originKey)
    const { address, port, key } = errand.secondary
    if (zone === undefined) {
      this.forget(errand.originKey)
      return
    }
    if (errand.tries === 0) errand.id = this.#freeId()
    this.#byId.set(errand.id, errand)
    const plain = notifyMessage(errand.id, zone.origin, zone.soa)
    const signer = key && new TsigSigner(key)
    this.#sockets.send(signer?.sign(plain, this.#nowSeconds()) ?? plain, port, address)
    errand.mac = signer?.mac
    errand.state = 'sent'
    errand.hasNews = false
    errand.sentAtMs = performance.now()
    const waitMs = this.#times.answerMs * 2 ** errand.tries
    errand.tries += 1
    errand.timer = setTimeout(() => this.#unanswered(errand), waitMs)
    errand.timer.unref()
  }

  #unanswered(errand: Errand): void {
    if (errand.tries < this.#times.tries) this.#enqueue(errand)
    else this.#done(errand, 'no answer')
  }

  #answered(packet: Buffer, address: string, port: number): void {
    const answer = readNotifyAnswer(packet)
    const errand = answer && this.#byId.get(answer.id)
    if (answer === undefined || errand === undefined) return
    const { secondary } = errand
    // Anyone can send a datagram; only answers from the secondary's own address count.
    if (secondary.port !== port || !isSameAddress(secondary.address, address)) return
    if (!this.#isBelieved(errand, packet)) return
    const { rcode } = answer
    const name = Object.entries(RCODE).find(([, number]) => number === rcode)?.[0] ?? `${rcode}`
    this.#done(errand, rcode === RCODE.NOERROR ? undefined : name)
  }

  /** An answer that refuses may be unsigned, because the secondary may not know the key (RFC 8945 §5.3.2). */
  #isBelieved({ secondary: { key }, mac }: Errand, packet: Buffer): boolean {
    if (key === undefined) return true
    const placed = findTsig(packet)
    if (placed === undefined || placed.record.mac.length === 0) return (packet[3] ?? 0) % 16 !== 0
    return checkTsig(packet, placed, () => key, this.#nowSeconds(), mac).kind === 'valid'
  }

  #done(errand: Errand, problem: string | undefined): void {
    clearTimeout(errand.timer)
    this.#byId.delete(errand.id)
    errand.state = 'idle'
    errand.tries = 0
    this.#tell(errand, problem)
    if (errand.hasNews) this.#queueLater(errand)
  }

  #tell(errand: Errand, problem: string | undefined): void {
    const { events, zone } = this.#options
    const { address, port } = errand.secondary
    const origin = zone(errand.originKey)?.origin
    if (origin === undefined) return
    const secondary = `${address} port ${port}`
    if (problem === undefined) events.acknowledged(nameToText(origin), secondary)
    else if (!errand.isLost) events.unacknowledged(nameToText(origin), secondary, problem)
    errand.isLost = problem !== undefined
  }

  #freeId(): number {
    for (;;) {
      const id = randomInt(HIGHEST_ID + 1)
      if (!this.#byId.has(id)) return id
    }
  }

  #nowSeconds(): number {
    return this.#options.nowSeconds?.() ?? Math.floor(Date.now() / 1000)
  }
}

function newErrand(originKey: string, secondary: Secondary): Errand {
  return {
    originKey,
    secondary,
    id: -1,
    tries: 0,
    hasNews: false,
    state: 'idle',
    sentAtMs: -Infinity,
    timer: undefined,
    mac: undefined,
    isLost: false,
  }
}

/** Compares two addresses as text. One of them may be in an uncompressed form. */
function isSameAddress(one: string, other: string): boolean {
  const plain = (text: string): string => {
    const [address = ''] = text.split('%')
    return address.includes(':') ? new URL(`http://[${address}]`).hostname : address
  }
  return plain(one) === plain(other)
}
