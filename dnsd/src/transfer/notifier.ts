/*
 * Notifies secondaries of zone changes (RFC 1996).
 *
 * A pending NOTIFY is one zone and one secondary. A change sends a message at once if it is idle. Changes that come
 * before the answer, or shortly after the last message, are combined in the next message. A message without an answer
 * is retried with increasing back-off and abandoned after some tries. The secondary then finds the change when its
 * SOA's REFRESH expires, and the next change starts again. A rate limit for all of them prevents a flood when a
 * server with thousands of zones starts.
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
  /** The minimum time between two messages to one secondary for different changes. */
  readonly gapMs: number
  /** The time-out of the first message; it doubles with each retry. */
  readonly answerMs: number
  readonly tries: number
  /** The rate limit of all messages together. */
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
  /** The zone with an apex's `nameKey`; undefined when it is no longer served. */
  readonly zone: (apexKey: string) => Zone | undefined
  readonly access: () => TransferAccess
  readonly events: TransferEvents
  /** The addresses that this server answers on. */
  readonly hosts: readonly string[]
  readonly times?: Partial<NotifyTimes>
  readonly nowSeconds?: () => number
}

/** The NOTIFY messages of one zone to one secondary. */
interface PendingNotify {
  readonly apexKey: string
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
  readonly #pending = new Map<string, PendingNotify>()
  readonly #byId = new Map<number, PendingNotify>()
  readonly #queue: PendingNotify[] = []
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
  changed(apexKey: string): void {
    if (this.#isClosed || this.#options.zone(apexKey)?.isIncomplete === true) return
    for (const secondary of this.#options.access().secondariesOf(apexKey)) {
      const name = `${apexKey}\n${secondary.address} ${secondary.port}`
      let pending = this.#pending.get(name)
      // The settings may have changed; the current ones determine the key.
      if (pending === undefined || pending.secondary.key !== secondary.key) {
        if (pending !== undefined) this.#drop(name, pending)
        pending = newPending(apexKey, secondary)
        this.#pending.set(name, pending)
      }
      pending.hasNews = true
      if (pending.state === 'idle') this.#queueLater(pending)
    }
  }

  /** Call it when a zone is removed: its secondaries are no longer notified. */
  forget(apexKey: string): void {
    for (const [name, pending] of this.#pending) {
      if (pending.apexKey === apexKey) this.#drop(name, pending)
    }
  }

  close(): void {
    this.#isClosed = true
    for (const [name, pending] of this.#pending) this.#drop(name, pending)
    clearTimeout(this.#sending)
    this.#sockets.close()
  }

  #drop(name: string, pending: PendingNotify): void {
    clearTimeout(pending.timer)
    this.#byId.delete(pending.id)
    this.#pending.delete(name)
    // Queue entries of an idle NOTIFY are skipped.
    pending.state = 'idle'
  }

  /** Queues the NOTIFY now, or as soon as the minimum gap since the last message has passed. */
  #queueLater(pending: PendingNotify): void {
    const waitMs = pending.sentAtMs + this.#times.gapMs - performance.now()
    pending.state = 'queued'
    if (waitMs <= 0) {
      this.#enqueue(pending)
      return
    }
    pending.timer = setTimeout(() => this.#enqueue(pending), waitMs)
    pending.timer.unref()
  }

  #enqueue(pending: PendingNotify): void {
    pending.state = 'queued'
    this.#queue.push(pending)
    this.#sendDue()
  }

  #sendDue(): void {
    clearTimeout(this.#sending)
    this.#sending = undefined
    const spacingMs = 1_000 / this.#times.messagesPerSecond
    // A late timer catches up with at most a tenth of a second's messages at once.
    this.#nextSendAtMs = Math.max(this.#nextSendAtMs, performance.now() - 100)
    while (this.#queue.length > 0 && this.#nextSendAtMs <= performance.now()) {
      const pending = this.#queue.shift()
      if (pending?.state !== 'queued') continue
      this.#send(pending)
      this.#nextSendAtMs += spacingMs
    }
    if (this.#queue.length === 0) return
    const waitMs = Math.max(1, this.#nextSendAtMs - performance.now())
    this.#sending = setTimeout(() => this.#sendDue(), waitMs)
    this.#sending.unref()
  }

  #send(pending: PendingNotify): void {
    const zone = this.#options.zone(pending.apexKey)
    const { address, port, key } = pending.secondary
    if (zone === undefined) {
      this.forget(pending.apexKey)
      return
    }
    if (pending.tries === 0) pending.id = this.#freeId()
    this.#byId.set(pending.id, pending)
    const plain = notifyMessage(pending.id, zone.apex, zone.soa)
    const signer = key && new TsigSigner(key)
    this.#sockets.send(signer?.sign(plain, this.#nowSeconds()) ?? plain, port, address)
    pending.mac = signer?.mac
    pending.state = 'sent'
    pending.hasNews = false
    pending.sentAtMs = performance.now()
    const waitMs = this.#times.answerMs * 2 ** pending.tries
    pending.tries += 1
    pending.timer = setTimeout(() => this.#unanswered(pending), waitMs)
    pending.timer.unref()
  }

  #unanswered(pending: PendingNotify): void {
    if (pending.tries < this.#times.tries) this.#enqueue(pending)
    else this.#done(pending, 'no answer')
  }

  #answered(packet: Buffer, address: string, port: number): void {
    const answer = readNotifyAnswer(packet)
    const pending = answer && this.#byId.get(answer.id)
    if (answer === undefined || pending === undefined) return
    const { secondary } = pending
    // Anyone can send a datagram; only answers from the secondary's own address count.
    if (secondary.port !== port || !isSameAddress(secondary.address, address)) return
    if (!this.#isBelieved(pending, packet)) return
    const { rcode } = answer
    const name = Object.entries(RCODE).find(([, number]) => number === rcode)?.[0] ?? `${rcode}`
    this.#done(pending, rcode === RCODE.NOERROR ? undefined : name)
  }

  /** An answer that refuses may be unsigned, because the secondary may not know the key (RFC 8945 §5.3.2). */
  #isBelieved({ secondary: { key }, mac }: PendingNotify, packet: Buffer): boolean {
    if (key === undefined) return true
    const placed = findTsig(packet)
    if (placed === undefined || placed.record.mac.length === 0) return (packet[3] ?? 0) % 16 !== 0
    return checkTsig(packet, placed, () => key, this.#nowSeconds(), mac).kind === 'valid'
  }

  #done(pending: PendingNotify, problem: string | undefined): void {
    clearTimeout(pending.timer)
    this.#byId.delete(pending.id)
    pending.state = 'idle'
    pending.tries = 0
    this.#tell(pending, problem)
    if (pending.hasNews) this.#queueLater(pending)
  }

  #tell(pending: PendingNotify, problem: string | undefined): void {
    const { events, zone } = this.#options
    const { address, port } = pending.secondary
    const apex = zone(pending.apexKey)?.apex
    if (apex === undefined) return
    const secondary = `${address} port ${port}`
    if (problem === undefined) events.acknowledged(nameToText(apex), secondary)
    else if (!pending.isLost) events.unacknowledged(nameToText(apex), secondary, problem)
    pending.isLost = problem !== undefined
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

function newPending(apexKey: string, secondary: Secondary): PendingNotify {
  return {
    apexKey,
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
