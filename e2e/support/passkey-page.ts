/// <reference lib="dom" />
/** A page of the service with passkeys: Chromium's ceremony with a virtual authenticator (CDP domain WebAuthn). */
import type { CDPSession, Page } from 'playwright-core'

/** The properties of an authenticator. */
export interface AuthenticatorKind {
  readonly transport: 'internal' | 'usb'
  /** Whether it verifies the user with a PIN or a fingerprint, and supports discoverable credentials. */
  readonly isVerifying: boolean
}

/** The most common device. */
export const PHONE_KEY: AuthenticatorKind = { transport: 'internal', isVerifying: true }
/** An older USB key: it only requires a touch, and the caller must name the passkey. */
export const TOUCHED_KEY: AuthenticatorKind = { transport: 'usb', isVerifying: false }

export interface Answer<T> {
  readonly status: number
  readonly body: T
}

/** Disables passkey autofill, because its ceremony would block others: a browser runs one at a time. */
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

  /** Adds a virtual authenticator to an open page. */
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

  /** Sends a call from the page, with its cookie. */
  async call<T>(method: string, url: string, body?: unknown): Promise<Answer<T>> {
    const sent = { method, url, body: body === undefined ? null : JSON.stringify(body) }
    return this.#page.evaluate(async ({ method, url, body }) => {
      const json = { headers: { 'content-type': 'application/json' }, body }
      const answer = await fetch(url, { method, ...(body === null ? {} : json) })
      const text = await answer.text()
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
    }, sent)
  }

  /** Adds a passkey to the signed-in account. @throws Error with the browser's reason */
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
   * Uses a passkey: `POST url/options`, the ceremony, `POST url`.
   *
   * @throws Error with the browser's reason
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

  /** The credentials in the authenticator. */
  async held() {
    const { credentials } = await this.#cdp.send('WebAuthn.getCredentials', {
      authenticatorId: this.#authenticatorId,
    })
    return credentials
  }

  /** Restores earlier credentials, as in a copy of the authenticator. */
  async putBack(credentials: Awaited<ReturnType<PasskeyPage['held']>>): Promise<void> {
    const authenticatorId = this.#authenticatorId
    await this.#cdp.send('WebAuthn.clearCredentials', { authenticatorId })
    for (const credential of credentials) {
      await this.#cdp.send('WebAuthn.addCredential', { authenticatorId, credential })
    }
  }
}
