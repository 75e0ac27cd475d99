/** An update request as it arrived, and its result. */
import type { UpdateHint } from '@homing/openapi'
import type { NotableTry } from '../../credentials/password.ts'
import type { UpdateAnswer } from '../../update-protocol/answer.ts'
import type { ReceivedCall } from '../../update-log/call-log.ts'
import type { Parameters } from '../../update-protocol/parameters.ts'
import { HOSTS_LIMIT } from '../../update-protocol/requested-names.ts'
import type { Dialect, UpdateRequest } from '../../update-protocol/update-request.ts'

export interface UpdateCall {
  readonly dialect: Dialect
  /** The URL in the form of the contract. */
  readonly path: string
  /** The unparsed header. */
  readonly authorization: string | undefined
  /** From path, query and form, with names in lower case. */
  readonly parameters: Parameters
  /** The address of the client; IPv4-mapped addresses as IPv4. */
  readonly ip: string
  /** The address for domains when the request has none; undefined when it is unknown, although `ip` may be the proxy's. */
  readonly detected: string | undefined
  /** The User-Agent. */
  readonly client: string | null
  /** Password attempts that the owner of the account should see, collected during the call. */
  readonly notableTries: NotableTry[]
  /** HEAD: only checks the credentials, and writes nothing. */
  readonly isTest: boolean
  /** Over HTTP, although the service is reached over HTTPS. */
  readonly isOpen: boolean
  /** Whether the request line contained more than one URL. */
  readonly hasTwoUrls: boolean
}

/** The answer for one domain. */
export type Said = Pick<ReceivedCall, 'fqdn' | 'answer' | 'isOwners'>

/** An answer, with its parts for each domain. */
export interface Settled {
  readonly answer: UpdateAnswer
  readonly said: readonly Said[]
  readonly found: readonly UpdateHint[]
}

/** The names of a request, each once; of too many, only those within the limit. */
export function namesOf({ hosts }: UpdateRequest): string[] {
  const names = hosts.slice(0, HOSTS_LIMIT).filter((host) => host !== undefined)
  return names.length === 1 ? names : [...new Set(names)]
}
