import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { newChallenge } from '../../../test/captcha.ts'
import { mock, ok, problem } from '../../../test/mock.ts'
import { fill, openSignIn } from '../../../test/screen.tsx'

const field = (name: string) => screen.getByRole('textbox', { name })
const password = () => screen.getByLabelText('Password')
const submit = () => screen.getByRole('button', { name: 'Sign Up' })
const alert = async () => (await screen.findByRole('alert')).textContent

beforeEach(() =>
  mock.handle({
    getCaptcha: () => ok({ provider: 'none' }),
    checkUsername: () => ok({ available: true, reason: null }),
  }),
)

async function open(at = '#register'): Promise<UserEvent> {
  const hands = openSignIn(at)
  await screen.findByRole('heading', { name: 'Create an account' })
  return hands
}

/** Fills in everything. */
async function fillIn(hands: UserEvent): Promise<void> {
  await fill(hands, field('Username'), 'ada')
  await fill(hands, field('Email'), 'ada@example.net')
  await fill(hands, password(), 'correct horse battery')
  await hands.click(screen.getByRole('checkbox'))
}

describe('registering', () => {
  test('sends what was typed, and asks to look for the mail', async () => {
    const hands = await open()
    await fill(hands, field('First name (optional)'), 'Ada')
    await fillIn(hands)
    await hands.click(submit())
    expect(await screen.findByRole('heading', { name: 'Check Your Email' })).toBeDefined()
    expect(await screen.findByText('ada@example.net')).toBeDefined()
    expect(mock.bodiesOf('register')).toEqual([
      {
        username: 'ada',
        email: 'ada@example.net',
        password: 'correct horse battery',
        terms: true,
        given_name: 'Ada',
      },
    ])
  })

  test('without the required fields names each, and sends nothing', async () => {
    const hands = await open()
    await hands.click(submit())
    expect((await screen.findAllByRole('alert')).map(({ textContent }) => textContent)).toEqual([
      'Please choose a username',
      'Please enter your email address',
      'Please choose a password',
      'Please accept the terms to create an account',
    ])
    expect(document.activeElement).toBe(field('Username'))
    expect(mock.bodiesOf('register')).toEqual([])
  })

  test('leaves the focus in the field where the user types', async () => {
    const hands = await open()
    await hands.click(submit())
    await screen.findAllByRole('alert')
    await hands.type(field('Email'), 'ada@example.net')
    expect(field('Email')).toHaveProperty('value', 'ada@example.net')
    expect(document.activeElement).toBe(field('Email'))
    expect(screen.queryByText('Please enter your email address')).toBeNull()
  })

  test('keeps what was typed when the service refuses a field, and names the field', async () => {
    const message = 'This password is in a list of leaked passwords. Please choose another.'
    mock.handle({
      register: () => problem('validation-failed', { errors: [{ field: 'password', message }] }),
    })
    const hands = await open()
    await fillIn(hands)
    await hands.click(submit())
    expect(await alert()).toBe(message)
    expect(document.activeElement).toBe(password())
    expect(field('Email')).toHaveProperty('value', 'ada@example.net')
    expect(password()).toHaveProperty('value', 'correct horse battery')
    await hands.type(password(), '!')
    expect(screen.queryByText(message)).toBeNull()
  })

  test('counts down when there were too many', async () => {
    mock.handle({
      register: () => problem('rate-limited', { detail: 'Too many.', retryAfterSeconds: 90 }),
    })
    const hands = await open()
    await fillIn(hands)
    await hands.click(submit())
    expect(await alert()).toContain('Too many.')
    expect(await screen.findByRole('button', { name: /^Try again in \d+ s$/ })).toBeDefined()
  })

  test('with a domain in mind remembers it for later', async () => {
    await open('#register?domain=Home&zone=homing.test')
    expect(screen.getByText('home.homing.test')).toBeDefined()
    expect(localStorage.getItem('wished_domain')).toContain('"home.homing.test"')
  })

  test.each(['domain=javascript:alert(1)', 'domain=home', 'zone=homing.test&domain='])(
    'with %s, which is not a domain, remembers nothing',
    async (query) => {
      await open(`#register?${query}`)
      expect(localStorage.getItem('wished_domain')).toBeNull()
      expect(screen.queryByText(/^After you sign in/)).toBeNull()
    },
  )

  test('with a wrong address keeps what was typed, except for the password', async () => {
    mock.handle({
      register: ({ body }) => ok({ message: '', username: body.username, email: body.email }),
    })
    const hands = await open()
    await fill(hands, field('First name (optional)'), 'Ada')
    await fillIn(hands)
    await hands.click(submit())
    await hands.click(await screen.findByRole('link', { name: 'Correct it' }))
    await screen.findByRole('heading', { name: 'Correct your address' })
    expect(field('First name (optional)')).toHaveProperty('value', 'Ada')
    expect(field('Username')).toHaveProperty('value', 'ada')
    expect(password()).toHaveProperty('value', '')
    // The name is taken, by this registration.
    mock.handle({ checkUsername: () => ok({ available: false, reason: 'taken' } as const) })
    await fill(hands, field('Email'), 'ada@example.org')
    await fill(hands, password(), 'correct horse battery')
    expect(screen.queryByText(/already in use/)).toBeNull()
    await hands.click(screen.getByRole('checkbox'))
    await hands.click(submit())
    expect(await screen.findByText('ada@example.org')).toBeDefined()
    expect(mock.bodiesOf('register').at(-1)).toMatchObject({
      username: 'ada',
      email: 'ada@example.org',
    })
  })
})

describe('the CAPTCHA', () => {
  test('is solved while the user types, and each attempt has its own', async () => {
    mock.handle({
      getCaptcha: () => ok({ provider: 'altcha' }),
      getCaptchaChallenge: async () => ok(await newChallenge()),
      register: ({ body }) =>
        body.captcha_token === undefined ? problem('unavailable') : problem('username-taken'),
    })
    const hands = await open()
    await fillIn(hands)
    await screen.findByText('You are not a robot.')
    await hands.click(submit())
    await screen.findByRole('alert')
    await screen.findByText('You are not a robot.')
    await hands.click(await screen.findByRole('button', { name: 'Sign Up' }))
    await vi.waitFor(() => expect(mock.bodiesOf('register')).toHaveLength(2))
    const [first, second] = mock.bodiesOf('register') as { captcha_token: string }[]
    expect(first?.captcha_token).not.toBe(second?.captcha_token)
  })

  /** Lets the CAPTCHA wait for the returned function. */
  function holdChallenge(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    mock.handle({
      getCaptcha: () => ok({ provider: 'altcha' }),
      async getCaptchaChallenge() {
        await promise
        return ok(await newChallenge())
      },
    })
    return resolve
  }

  test('that is not solved yet sends the form as soon as it is', async () => {
    const solve = holdChallenge()
    const hands = await open()
    await fillIn(hands)
    await hands.click(submit())
    expect(await screen.findByRole('button', { name: 'Completing CAPTCHA...' })).toBeDefined()
    expect(mock.bodiesOf('register')).toEqual([])
    solve()
    expect(await screen.findByRole('heading', { name: 'Check Your Email' })).toBeDefined()
  })

  test('does not send terms that the user no longer accepts', async () => {
    const solve = holdChallenge()
    const hands = await open()
    await fillIn(hands)
    await hands.click(submit())
    await screen.findByRole('button', { name: 'Completing CAPTCHA...' })
    await hands.click(screen.getByRole('checkbox'))
    solve()
    expect(await alert()).toBe('Please accept the terms to create an account')
    expect(mock.bodiesOf('register')).toEqual([])
  })

  test('is waited for while the service has not said whether it requires one', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    mock.handle({
      async getCaptcha() {
        await promise
        return ok({ provider: 'none' })
      },
    })
    const hands = await open()
    await fillIn(hands)
    await hands.click(submit())
    expect(screen.queryByRole('alert')).toBeNull()
    resolve()
    expect(await screen.findByRole('heading', { name: 'Check Your Email' })).toBeDefined()
  })
})

describe('a username', () => {
  test.each([
    [{ available: true, reason: null } as const, 'ada is available.'],
    [
      { available: false, reason: 'taken' } as const,
      'ada is already in use. Please choose another.',
    ],
    [{ available: false, reason: 'invalid' } as const, /^ada cannot be a username\./],
  ])('answered with %j while the user types', async (found, text) => {
    mock.handle({ checkUsername: () => ok(found) })
    const hands = await open()
    await fill(hands, field('Username'), 'ada')
    expect(await screen.findByText(text, { selector: 'p' })).toBeDefined()
  })

  test('with a character that it cannot have says which', async () => {
    const hands = await open()
    await fill(hands, field('Username'), 'adä')
    expect(await alert()).toContain('“ä” cannot be part of a username.')
  })
})

describe('after registering, the screen', () => {
  test('goes on to the sign-in when the address is verified on any device', async () => {
    mock.handle({ getRegistrationStatus: () => ok({ verified: true }) })
    openSignIn('#registration-success')
    expect(await screen.findByText('Email Verified! You can sign in now.')).toBeDefined()
    expect(location.hash).toBe('#login')
  })

  test('without a remembered address names none, and leads to the form for another mail', async () => {
    openSignIn('#registration-success')
    expect(await screen.findByText('your email address')).toBeDefined()
    const again = screen.getByRole('link', { name: 'Resend Verification Email' })
    expect(again.getAttribute('href')).toBe('#resend-verification')
  })
})
