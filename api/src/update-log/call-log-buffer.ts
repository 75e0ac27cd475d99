/** A bounded buffer of calls that wait to be stored. Equal calls are merged. */

/** A call for one name. Texts are unchanged, and can be long and malformed. */
export interface ReceivedCall {
  /** The requested name. Calls for a nonexistent name are not stored. */
  readonly fqdn: string
  /** Whether the caller's credentials prove that it acts for the name's owner. */
  readonly isOwners: boolean
  readonly at: Date
  /** Canonical text. */
  readonly sourceIp: string
  /** The User-Agent. */
  readonly client: string | null
  readonly dialect: string
  /** Path of the URL, without query and secrets. */
  readonly path: string
  /** The parameters as received, without secrets. */
  readonly said: string
  /** The line of the answer. */
  readonly answer: string
  /** The code of the hint for the owner. */
  readonly hint: string | null
}

/** Equal consecutive calls. */
export interface CallEntry extends ReceivedCall {
  readonly times: number
  readonly lastAt: Date
}

const LIMITS = { client: 200, dialect: 20, path: 100, said: 300, answer: 300 } as const

/** A text that is safe to show: no control characters, no change of writing direction, limited length. */
function plain(text: string, limit: number): string {
  // Truncate first: the input can be thousands of characters long.
  return text.slice(0, limit).replaceAll(/\p{C}/gu, '')
}

/** The stored form of a call. */
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

/** Two calls that agree in these fields look the same to the reader. */
export type CallContent = Pick<
  ReceivedCall,
  'sourceIp' | 'client' | 'dialect' | 'path' | 'said' | 'answer' | 'hint'
>

/** Whether two calls look the same, so that one entry with a count stands for both. */
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

/** Whether the domain got an update with this call, even if it changed nothing. */
export const isAccepted = ({ isOwners, answer }: Pick<ReceivedCall, 'isOwners' | 'answer'>) =>
  isOwners && /^(?:good|nochg)\b/.test(answer)

interface Pending {
  call: ReceivedCall
  times: number
  lastAt: Date
}

export class CallBuffer {
  readonly #limit: number
  readonly #nameLimit: number
  /** By name, in the order of the first call. */
  readonly #byName = new Map<string, Pending[]>()
  #size = 0

  /**
   * @param limit maximum number of entries of all names together
   * @param nameLimit maximum number of entries of one name
   */
  constructor(limit: number, nameLimit: number) {
    this.#limit = limit
    this.#nameLimit = nameLimit
  }

  get size(): number {
    return this.#size
  }

  /**
   * Whether a call for a name would be stored. When the buffer is full, only calls for names in it are.
   */
  hasRoomFor(fqdn: string): boolean {
    return this.#size < this.#limit || this.#byName.has(fqdn)
  }

  /** Adds a call. @returns how many entries were dropped for it, itself included */
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

  /** The waiting entries, those of each name in order of arrival. */
  entries(): CallEntry[] {
    return [...this.#byName.values()].flatMap((entries) =>
      entries.map(({ call, times, lastAt }) => ({ ...call, times, lastAt })),
    )
  }
}
