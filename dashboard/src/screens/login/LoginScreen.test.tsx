import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { solveChallenge } from 'altcha-lib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { newChallenge } from '../../../test/captcha.ts'
import { exampleOf, mock, ok, problem } from '../../../test/mock.ts'
import { fill, openSignIn } from '../../../test/screen.tsx'
import { deriveKey as deriveInScript } from '../../api/derive-key.ts'

const NAME = { name: 'Username or email' }
const password = () => screen.getByLabelText('Password')

/** Fills in and submits the form. */
async function signIn(hands: UserEvent, name = 'ada', word = 'correct horse'): Promise<void> {
  await fill(hands, screen.getByRole('textbox', NAME), name)
  await fill(hands, password(), word)
  await hands.click(screen.getByRole('button', { name: 'Sign In' }))
}

/** Accepts the sign-in. */
function accept() {
  mock.caller = 'user'
  return ok(exampleOf('completeLogin'))
}

const alert = async () => (await screen.findByRole('alert')).textContent

describe('a password', () => {
  test('that is correct leads to the requested page', async () => {
    mock.handle({ login: accept })
    const hands = openSignIn('#login?next=dashboard%3Fq%3Dnas')
    await signIn(hands)
    expect(await screen.findByText('Welcome, ada')).toBeDefined()
    expect(location.hash).toBe('#dashboard?q=nas')
    expect(mock.bodiesOf('login')).toEqual([
      { username_or_email: 'ada', password: 'correct horse' },
    ])
  })

  test('that cancels the deletion of the account says so', async () => {
    mock.handle({
      login() {
        mock.caller = 'user'
        return ok({ ...exampleOf('completeLogin'), deletion_cancelled: true })
      },
    })
    await signIn(openSignIn())
    expect(await screen.findByText(/^Your account will not be deleted\./)).toBeDefined()
  })

  test('that is wrong gives an error that does not say which field was wrong, and can be typed again', async () => {
    mock.handle({ login: () => problem('wrong-credentials') })
    await signIn(openSignIn())
    expect(await alert()).toBe('Invalid username/email or password')
    expect(document.activeElement).toBe(password())
    expect(screen.getByRole('textbox', NAME).getAttribute('aria-invalid')).toBe('true')
  })

  test('that is missing gives an error without a call', async () => {
    const hands = openSignIn()
    await hands.type(screen.getByRole('textbox', NAME), 'ada')
    await hands.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await alert()).toBe('Please enter both username/email and password')
    expect(mock.calls).toEqual([])
  })

  test('can be shown', async () => {
    const hands = openSignIn()
    expect(password().getAttribute('type')).toBe('password')
    await hands.click(screen.getByRole('button', { name: 'Show password' }))
    expect(password().getAttribute('type')).toBe('text')
  })
})

test('passkeys are offered in the autofill list again after a prompt was closed', async () => {
  const isAutofillPossible = async () => true
  const credential = Object.assign(() => undefined, {
    isConditionalMediationAvailable: isAutofillPossible,
  })
  vi.stubGlobal('PublicKeyCredential', credential)
  const offers: unknown[] = []
  const get = ({ mediation, signal }: CredentialRequestOptions) => {
    offers.push(mediation ?? 'prompt')
    return new Promise((_, reject) => {
      const close = () => reject(new DOMException('closed', 'NotAllowedError'))
      if (mediation === 'conditional') signal?.addEventListener('abort', close)
      else close()
    })
  }
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get } })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'credentials'))
  const hands = openSignIn()
  await waitFor(() => expect(offers).toEqual(['conditional']))
  await hands.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))
  await waitFor(() => expect(offers).toEqual(['conditional', 'prompt', 'conditional']))
})

describe('a failed sign-in', () => {
  test('by the rate limit: the button counts down', async () => {
    mock.handle({
      login: () => problem('rate-limited', { detail: 'Too many attempts.', retryAfterSeconds: 90 }),
    })
    await signIn(openSignIn())
    expect(await alert()).toBe('Too many attempts. You can try again in 90 s.')
    expect(await screen.findByRole('button', { name: /^Try again in \d+ s$/ })).toBeDefined()
  })

  test('with an unverified email address: the link can be sent again', async () => {
    mock.handle({ login: () => problem('email-not-verified', { detail: 'Verify it first.' }) })
    const hands = openSignIn()
    await signIn(hands, 'ada@example.net')
    await hands.click(await screen.findByRole('button', { name: 'Resend Verification Email' }))
    expect(await screen.findByText(/a new link is on its way/, { selector: 'p' })).toBeDefined()
    expect(mock.bodiesOf('resendVerification')).toEqual([{ email: 'ada@example.net' }])
  })

  test('without a response: a network error is shown', async () => {
    mock.handle({ login: () => Promise.reject(new TypeError('Failed to fetch')) })
    await signIn(openSignIn())
    expect(await alert()).toBe('Network error. Please try again.')
  })
})

describe('the service’s own CAPTCHA', () => {
  const required = { requires_captcha: true, captcha: { provider: 'altcha' } } as const

  test('is solved by the browser, and its token is sent with the next attempt', async () => {
    const challenge = await newChallenge()
    mock.handle({
      getCaptchaChallenge: () => ok(challenge),
      login: ({ body }) => (body.captcha_token === undefined ? ok(required) : accept()),
    })
    const hands = openSignIn()
    await signIn(hands)
    await hands.click(await screen.findByRole('button', { name: 'Sign In with CAPTCHA' }))
    expect(await screen.findByText('Welcome, ada')).toBeDefined()
    const [, second] = mock.bodiesOf('login') as { captcha_token: string }[]
    const token = JSON.parse(atob(second?.captcha_token ?? '')) as { challenge: object }
    expect(token.challenge).toEqual(challenge)
  })

  test('is solved by workers on a page without HTTPS', async () => {
    class SolvingWorker extends EventTarget {
      readonly #controller = new AbortController()
      postMessage(work: { readonly type: string } & Parameters<typeof solveChallenge>[0]): void {
        if (work.type !== 'work') return
        const controller = this.#controller
        void solveChallenge({ ...work, controller, deriveKey: deriveInScript }).then((data) =>
          this.dispatchEvent(new MessageEvent('message', { data })),
        )
      }
      // Otherwise the workers that did not find the solution would compute on beside all later tests.
      terminate(): void {
        this.#controller.abort()
      }
    }
    vi.stubGlobal('isSecureContext', false)
    vi.stubGlobal('Worker', SolvingWorker)
    mock.handle({
      getCaptchaChallenge: async () => ok(await newChallenge()),
      login: ({ body }) => (body.captcha_token === undefined ? ok(required) : accept()),
    })
    const hands = openSignIn()
    await signIn(hands)
    await hands.click(await screen.findByRole('button', { name: 'Sign In with CAPTCHA' }))
    expect(await screen.findByText('Welcome, ada')).toBeDefined()
  })
})

describe('a second factor', () => {
  const wanted = (...methods: ('totp' | 'recovery_code')[]) =>
    ok({
      requires_second_factor: true,
      login_token: 'stands-for-the-password',
      methods,
      expires_at: '2026-05-12T08:40:00.000Z',
    } as const)
  const digits = async () => screen.findByRole('textbox', { name: 'Authenticator code' })

  test('of six digits submits itself', async () => {
    mock.handle({ login: () => wanted('totp'), completeLogin: accept })
    const hands = openSignIn()
    await signIn(hands)
    await hands.type(await digits(), '123 456')
    expect(await screen.findByText('Welcome, ada')).toBeDefined()
    expect(mock.bodiesOf('completeLogin')).toEqual([
      { login_token: 'stands-for-the-password', code: '123456' },
    ])
  })

  test('that is wrong can be typed again', async () => {
    mock.handle({
      login: () => wanted('totp'),
      completeLogin: () => problem('wrong-credentials', { detail: 'The code is not right.' }),
    })
    const hands = openSignIn()
    await signIn(hands)
    await hands.type(await digits(), '111111')
    expect(await alert()).toBe('The code is not right.')
    expect((await digits()).getAttribute('value')).toBe('')
  })

  test('can be a recovery code', async () => {
    mock.handle({ login: () => wanted('totp', 'recovery_code'), completeLogin: accept })
    const hands = openSignIn()
    await signIn(hands)
    await hands.click(await screen.findByRole('button', { name: 'Use a recovery code' }))
    await hands.type(
      screen.getByRole('textbox', { name: 'Recovery code' }),
      '7QK2MDE-0XW9T4V{Enter}',
    )
    await waitFor(() =>
      expect(mock.bodiesOf('completeLogin')).toEqual([
        { login_token: 'stands-for-the-password', recovery_code: '7QK2MDE-0XW9T4V' },
      ]),
    )
  })

  test('after the sign-in expired leads back to the password, and says why', async () => {
    mock.handle({
      login: () => wanted('totp'),
      completeLogin: () => problem('sign-in-expired', { detail: 'That took too long.' }),
    })
    const hands = openSignIn()
    await signIn(hands)
    await hands.type(await digits(), '123456')
    expect(await alert()).toBe('That took too long.')
    expect(screen.getByRole('heading', { name: 'Sign in' })).toBeDefined()
    expect(screen.getByRole('textbox', NAME)).toHaveProperty('value', 'ada')
    expect(document.activeElement).toBe(password())
  })
})
