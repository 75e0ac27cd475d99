/** An issuer of pipelines' tokens on this machine, in the place of GitHub and GitLab. */
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

export class TokenIssuer {
  readonly #server: Server
  #keys: { readonly kid: string; readonly pair: KeyPair }[] = []
  /** The requested paths. */
  asked: string[] = []
  /** Additional or changed fields of the discovery document. */
  discovery: object = {}

  private constructor(server: Server) {
    this.#server = server
  }

  static async open(): Promise<TokenIssuer> {
    const server = createServer()
    const issuer = new TokenIssuer(server)
    server.on('request', (request, response) => {
      issuer.asked.push(request.url ?? '')
      void issuer.#answer(request.url).then((text) => response.end(text))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    await issuer.rotate()
    return issuer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** Uses another key from now on. */
  async rotate(): Promise<void> {
    this.#keys = [
      { kid: `key-${Math.random()}`, pair: await generateKeyPair('ES256', { extractable: true }) },
    ]
  }

  async #answer(path: string | undefined): Promise<string> {
    if (path === '/.well-known/openid-configuration') {
      return JSON.stringify({
        issuer: this.url,
        jwks_uri: `${this.url}/keys`,
        ...this.discovery,
      })
    }
    const keys = this.#keys.map(async ({ kid, pair }) => ({
      ...(await exportJWK(pair.publicKey)),
      kid,
      alg: 'ES256',
    }))
    return JSON.stringify({ keys: await Promise.all(keys) })
  }

  /** A token of this issuer. @param signedBy another issuer, whose key signs it */
  async token(claims: JWTPayload, signedBy: TokenIssuer = this): Promise<string> {
    const [key] = signedBy.#keys
    if (key === undefined) throw new Error('an issuer has a key')
    return new SignJWT({ iss: this.url, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: key.kid })
      .sign(key.pair.privateKey)
  }

  async close(): Promise<void> {
    await new Promise((closed) => this.#server.close(closed))
  }
}
