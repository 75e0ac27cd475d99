/// <reference lib="dom" />
/** A page of the service that does passkeys: Chromium's own ceremony with an authenticator that it plays (CDP domain WebAuthn). */
import type { CDPSession, Page } from 'playwright-core'

/** What an authenticator is. */
export interface AuthenticatorKind {
  readonly transport: 'internal' | 'usb'
  /** Whether it asks for a PIN or a finger, and finds passkeys by itself. */
  readonly isVerifying: boolean
}

/** The device of most people. */
export const PHONE_KEY: AuthenticatorKind = { transport: 'internal', isVerifying: true }
/** An older key at USB: it is only touched, and has to be told which passkey is meant. */
export const TOUCHED_KEY: AuthenticatorKind = { transport: 'usb', isVerifying: false }

export interface Answer<T> {
  readonly status: number
  readonly body: T
}

/** A browser that fills no passkeys in: the sign-in card then waits for none, and a browser has one ceremony at a time. */
export const withoutAutofill = (page: Page) =>
  page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })

export class PasskeyPage {
  readonly #page: Page
  readonly #cdp: CDPSession
  readonly #authenticatorId: string

  private constructor(page: Page, cdp: CDPSession, authenticatorId: string) {
    this.#page = page
    this.#cdp = cdp
    this.#authenticatorId = authenticatorId
  }

  /** Gives a page that is open an authenticator of its own. */
  static async of(page: Page, { transport, isVerifying }: AuthenticatorKind): Promise<PasskeyPage> {
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport,
        hasResidentKey: isVerifying,
        hasUserVerification: isVerifying,
        isUserVerified: isVerifying,
        automaticPresenceSimulation: true,
      },
    })
    return new PasskeyPage(page, cdp, authenticatorId)
  }

  /** A call that the page makes, with its cookie. */
  async call<T>(method: string, url: string, body?: unknown): Promise<Answer<T>> {
    const sent = { method, url, body: body === undefined ? null : JSON.stringify(body) }
    return this.#page.evaluate(async ({ method, url, body }) => {
      const json = { headers: { 'content-type': 'application/json' }, body }
      const answer = await fetch(url, { method, ...(body === null ? {} : json) })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
    }, sent)
  }

  /** Adds a passkey to the account that is signed in. @throws Error with what the browser refuses for */
  async add<T>(name: string): Promise<Answer<T>> {
    const { body: options } = await this.call('POST', '/api/me/passkeys/options')
    const credential: unknown = await this.#page.evaluate(async (json) => {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
        json as PublicKeyCredentialCreationOptionsJSON,
      )
      const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential
      return made.toJSON()
    }, options)
    return this.call('POST', '/api/me/passkeys', { name, credential })
  }

  /**
   * Shows a passkey: `POST url/options`, the ceremony, `POST url`.
   *
   * @throws Error with what the browser refuses for
   */
  async show<T>(url: string, fields?: object): Promise<Answer<T>> {
    const { body: options } = await this.call('POST', `${url}/options`, fields)
    const credential: unknown = await this.#page.evaluate(async (json) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
        json as PublicKeyCredentialRequestOptionsJSON,
      )
      const got = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential
      return got.toJSON()
    }, options)
    return this.call('POST', url, { ...fields, credential })
  }

  /** What the authenticator holds. */
  async held() {
    const { credentials } = await this.#cdp.send('WebAuthn.getCredentials', {
      authenticatorId: this.#authenticatorId,
    })
    return credentials
  }

  /** Puts the authenticator back to what it held at an earlier time, as a copy of it would be. */
  async putBack(credentials: Awaited<ReturnType<PasskeyPage['held']>>): Promise<void> {
    const authenticatorId = this.#authenticatorId
    await this.#cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    for (const credential of credentials) {
      await this.#cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
    }
  }
}
