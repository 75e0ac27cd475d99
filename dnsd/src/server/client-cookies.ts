import { isIPv4 } from 'node:net'
import { ipv4FromText, ipv6FromText } from '../names/index.ts'
import {
  answerCookie,
  COOKIE_BYTES,
  type CookieSecrets,
  type CookieStanding,
  cookieSecrets,
  CLIENT_COOKIE_BYTES,
  isCookieLength,
  type Request,
} from '../wire/index.ts'

/** What a request's cookie says about its client, and the cookie for the answer. */
export interface CookieExchange {
  readonly standing: CookieStanding
  /** The request has a server cookie that is invalid or expired. */
  readonly refuted: boolean
  readonly answer: Uint8Array | undefined
}

const NO_COOKIE: CookieExchange = { standing: 'none', refuted: false, answer: undefined }

/** The cookies of one server. It shares the secrets with its replicas. */
export class ClientCookies {
  readonly #secrets: CookieSecrets
  readonly #nowSeconds: () => number

  /**
   * @param secrets 16 octets each: the first signs, all are accepted
   * @throws RangeError for a secret of another length
   */
  constructor(secrets: readonly Uint8Array[], nowSeconds: () => number) {
    this.#secrets = cookieSecrets(secrets)
    this.#nowSeconds = nowSeconds
  }

  /** @param address the client's address as the runtime formats it */
  exchange({ edns }: Request, address: string | undefined): CookieExchange {
    const cookie = edns?.options.cookie
    const [secret] = this.#secrets
    if (cookie === undefined || address === undefined || secret === undefined) return NO_COOKIE
    if (!isCookieLength(cookie.length)) return NO_COOKIE
    const answer = new Uint8Array(COOKIE_BYTES)
    const octets = addressOctets(address)
    const valid = answerCookie(cookie, octets, this.#secrets, this.#nowSeconds(), answer)
    const refuted = !valid && cookie.length > CLIENT_COOKIE_BYTES
    return { standing: valid ? 'valid' : 'client', refuted, answer }
  }
}

function addressOctets(address: string): Buffer {
  if (isIPv4(address)) return ipv4FromText(address)
  const [withoutScope = ''] = address.split('%', 1)
  return ipv6FromText(withoutScope)
}
