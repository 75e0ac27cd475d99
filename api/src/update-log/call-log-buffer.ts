/** Calls that wait to be stored: bounded, and equal ones as one. */

/** A call for one name. Texts may be as long and as odd as they came. */
export interface ReceivedCall {
  /** The name that was asked for; nothing is kept for one that does not exist. */
  readonly fqdn: string
  /** Whether the caller was shown to be the name's owner, by credentials that reach it. */
  readonly isOwners: boolean
  readonly at: Date
  /** Canonical text. */
  readonly sourceIp: string
  /** The User-Agent. */
  readonly client: string | null
  readonly dialect: string
  /** Of the URL, without its query and without secrets. */
  readonly path: string
  /** What it asked for, as it came, without secrets. */
  readonly said: string
  /** The line of the answer. */
  readonly answer: string
  /** The code of what is worth telling the owner. */
  readonly hint: string | null
}

/** Equal calls that came one after another. */
export interface CallEntry extends ReceivedCall {
  readonly times: number
  readonly lastAt: Date
}

const LIMITS = { client: 200, dialect: 20, path: 100, said: 300, answer: 300 } as const

/** A text as it may be shown: no control characters, nothing that turns the writing direction, not too long. */
function plain(text: string, limit: number): string {
  // Cut first: what comes may be thousands of characters long.
  return text.slice(0, limit).replaceAll(/\p{C}/gu, '')
}

/** The call as it is kept. */
export function plainCall<Call extends ReceivedCall>(call: Call): Call {
  return {
    ...call,
    client: call.client === null ? null : plain(call.client, LIMITS.client),
    dialect: plain(call.dialect, LIMITS.dialect),
    path: plain(call.path, LIMITS.path),
    said: plain(call.said, LIMITS.said),
    answer: plain(call.answer, LIMITS.answer),
  }
}

/** What makes two calls the same for whoever reads of them. */
export type CallContent = Pick<
  ReceivedCall,
  'sourceIp' | 'client' | 'dialect' | 'path' | 'said' | 'answer' | 'hint'
>

export function isSameCall(one: CallContent, other: CallContent): boolean {
  return (
    one.answer === other.answer &&
    one.said === other.said &&
    one.sourceIp === other.sourceIp &&
    one.client === other.client &&
    one.path === other.path &&
    one.dialect === other.dialect &&
    one.hint === other.hint
  )
}

interface Pending {
  call: ReceivedCall
  times: number
  lastAt: Date
}

export class CallBuffer {
  readonly #limit: number
  readonly #nameLimit: number
  /** By name; the name that was first heard of is the first. */
  readonly #byName = new Map<string, Pending[]>()
  #size = 0

  /**
   * @param limit most entries of all names together
   * @param nameLimit most entries of one name
   */
  constructor(limit: number, nameLimit: number) {
    this.#limit = limit
    this.#nameLimit = nameLimit
  }

  get size(): number {
    return this.#size
  }

  /** Whether a call for a name would be kept: when all places are taken, only for names that have one. */
  hasRoomFor(fqdn: string): boolean {
    return this.#size < this.#limit || this.#byName.has(fqdn)
  }

  /** Takes a call. @returns how many entries were given up for it, itself included */
  add(call: ReceivedCall & Partial<CallEntry>): number {
    const { times = 1, lastAt = call.at } = call
    const ofName = this.#byName.get(call.fqdn)
    const last = ofName?.at(-1)
    if (last !== undefined && isSameCall(last.call, call)) {
      last.times += times
      last.lastAt = lastAt
      return 0
    }
    if (!this.hasRoomFor(call.fqdn)) return 1
    this.#size += 1
    const entry = { call, times, lastAt }
    if (ofName === undefined) {
      this.#byName.set(call.fqdn, [entry])
      return 0
    }
    ofName.push(entry)
    const isTooMany = ofName.length > this.#nameLimit || this.#size > this.#limit
    return isTooMany ? this.#dropOldest(call.fqdn, ofName) : 0
  }

  #dropOldest(fqdn: string, entries: Pending[]): number {
    entries.shift()
    if (entries.length === 0) this.#byName.delete(fqdn)
    this.#size -= 1
    return 1
  }

  /** What waits, the entries of each name in the order in which they came. */
  entries(): CallEntry[] {
    return [...this.#byName.values()].flatMap((entries) =>
      entries.map(({ call, times, lastAt }) => ({ ...call, times, lastAt })),
    )
  }
}
