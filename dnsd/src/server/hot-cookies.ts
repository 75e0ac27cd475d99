import type { PlainQuestion } from '../hot-path/index.ts'
import {
  answerCookie,
  CLIENT_COOKIE_BYTES,
  COOKIE_BYTES,
  type CookieSecrets,
  cookieSecrets,
} from '../wire/index.ts'
import type { ClientAddress } from './client-address.ts'

/**
 * The cookies of hot path answers. It does what `ClientCookies` does for the pipeline, without
 * allocating.
 */
export class HotCookies {
  readonly #secrets: CookieSecrets
  readonly #nowSeconds: () => number
  readonly #client = new Uint8Array(CLIENT_COOKIE_BYTES)
  readonly #whole = new Uint8Array(COOKIE_BYTES)
  readonly #ipv4 = new Uint8Array(4)
  readonly #ipv6 = new Uint8Array(16)
  readonly #answer = new Uint8Array(COOKIE_BYTES)

  /**
   * @param secrets 16 octets each: the first signs, all are accepted
   * @param nowSeconds since 1970
   * @throws RangeError for a secret of another length
   */
  constructor(secrets: readonly Uint8Array[], nowSeconds: () => number) {
    this.#secrets = cookieSecrets(secrets)
    this.#nowSeconds = nowSeconds
  }

  /**
   * Writes the cookie of an answer.
   *
   * @param question of `packet`, with a cookie
   * @param at the offset in `out`
   * @returns whether this server made the question's cookie for this client recently
   */
  write(
    packet: Uint8Array,
    { cookieAt, cookieBytes }: PlainQuestion,
    client: ClientAddress,
    out: Uint8Array,
    at: number,
  ): boolean {
    const cookie = cookieBytes === CLIENT_COOKIE_BYTES ? this.#client : this.#whole
    for (let octet = 0; octet < cookieBytes; octet++) {
      cookie[octet] = packet[cookieAt + octet] as number
    }
    const address = client.family === 4 ? this.#ipv4 : this.#ipv6
    client.writeOctets(address)
    const answer = this.#answer
    const isValid = answerCookie(cookie, address, this.#secrets, this.#nowSeconds(), answer)
    for (let octet = 0; octet < COOKIE_BYTES; octet++) out[at + octet] = answer[octet] as number
    return isValid
  }
}
