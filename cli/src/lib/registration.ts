/** Opens an account at the terminal, without a browser. */
import type { components } from '@homing/openapi/client'
import type { ApiClient } from './client.ts'
import { bodyOf } from './api.ts'
import { solveCaptcha } from './captcha.ts'
import { EXIT } from './exit-codes.ts'
import { CommandFailure } from './failure.ts'
import { pageUrl } from './pages.ts'
import { newPassword } from './passwords.ts'
import { type Asking, askText, askYesNo } from './prompts.ts'

type CaptchaTerms = components['schemas']['CaptchaTerms']

const BY_PAGE = 'the page: homing register --print'

/** The CAPTCHA that a registration requires; undefined if only a browser can solve it, or the service does not say. */
export async function captchaHere(api: ApiClient): Promise<CaptchaTerms | undefined> {
  const answer = await api.GET('/api/captcha').catch(() => undefined)
  const terms = answer?.data
  return terms?.provider === 'none' || terms?.provider === 'altcha' ? terms : undefined
}

/**
 * Asks for everything, and registers.
 *
 * @returns what the person must do next
 * @throws CommandFailure when the service refuses, or the person does not accept the terms
 */
export async function registerHere(
  api: ApiClient,
  server: string,
  asking: Asking,
  captcha: CaptchaTerms,
): Promise<string> {
  const username = await askText(asking, { message: 'Username', instead: BY_PAGE })
  const email = await askText(asking, { message: 'Email', instead: BY_PAGE })
  const password = await newPassword(asking, 'Password', BY_PAGE)
  const pages = `${pageUrl(server, 'terms')} and ${pageUrl(server, 'privacy')}`
  if (!(await askYesNo(`Do you accept ${pages}?`))) {
    throw new CommandFailure(EXIT.failed, 'No account was created: it requires the terms.')
  }
  const solved = captcha.provider === 'none' ? undefined : await solveCaptcha(api, captcha)
  const answer = await api.POST('/api/register', {
    body: {
      username,
      email,
      password,
      terms: true,
      ...(solved === undefined ? {} : { captcha_token: solved }),
    },
  })
  return bodyOf(answer, 'message').message
}
