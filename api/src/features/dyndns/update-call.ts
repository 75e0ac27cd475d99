/** An update request as it came, and what was made of it. */
import type { UpdateHint } from '@homing/openapi'
import type { NotableTry } from '../../credentials/password.ts'
import type { UpdateAnswer } from '../../update-protocol/answer.ts'
import type { ReceivedCall } from '../../update-log/call-log.ts'
import type { Parameters } from '../../update-protocol/parameters.ts'
import { HOSTS_LIMIT } from '../../update-protocol/requested-names.ts'
import type { Dialect, UpdateRequest } from '../../update-protocol/update-request.ts'

export interface UpdateCall {
  readonly dialect: Dialect
  /** The URL as the contract writes it. */
  readonly path: string
  /** The header as it came. */
  readonly authorization: string | undefined
  /** Of path, query and form, with names in lower case. */
  readonly parameters: Parameters
  /** Where the request came from; IPv4-mapped addresses as IPv4. */
  readonly ip: string
  /** The address for names when none is given; undefined when it cannot be told, though `ip` may be the proxy's. */
  readonly detected: string | undefined
  /** The User-Agent. */
  readonly client: string | null
  /** Tries of passwords that the owner of the account should see, collected while the call is answered. */
  readonly notableTries: NotableTry[]
  /** HEAD: are the credentials right? Nothing is written. */
  readonly isTest: boolean
  /** Over HTTP, though the service is reached by HTTPS. */
  readonly isOpen: boolean
  /** Whether the request line held more than one URL. */
  readonly hasTwoUrls: boolean
}

/** What was answered for one name. */
export type Said = Pick<ReceivedCall, 'fqdn' | 'answer' | 'isOwners'>

/** An answer, with what it said of which name. */
export interface Settled {
  readonly answer: UpdateAnswer
  readonly said: readonly Said[]
  readonly found: readonly UpdateHint[]
}

/** The names of a request, each once. Of too many, those that would have been looked at. */
export function namesOf({ hosts }: UpdateRequest): string[] {
  const names = hosts.slice(0, HOSTS_LIMIT).filter((host) => host !== undefined)
  return names.length === 1 ? names : [...new Set(names)]
}
