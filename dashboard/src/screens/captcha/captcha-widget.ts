/** The widgets of Turnstile and hCaptcha, which have the same API. Their scripts are loaded on demand. */

const SCRIPTS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js?render=explicit',
} as const

export type WidgetProvider = keyof typeof SCRIPTS

interface WidgetApi {
  render(
    place: HTMLElement,
    settings: Readonly<Record<string, string | ((token: string) => void)>>,
  ): string
  remove(id: string): void
}

const apiOf = (provider: WidgetProvider) =>
  (window as unknown as Readonly<Record<string, WidgetApi | undefined>>)[provider]

const loading = new Map<WidgetProvider, Promise<WidgetApi>>()

async function load(provider: WidgetProvider): Promise<WidgetApi> {
  const script = document.createElement('script')
  script.src = SCRIPTS[provider]
  script.async = true
  await new Promise<void>((resolve, reject) => {
    script.addEventListener('load', () => resolve())
    script.addEventListener('error', () =>
      reject(new Error('Could not load the CAPTCHA. Please reload the page.')),
    )
    document.head.append(script)
  })
  const api = apiOf(provider)
  if (api === undefined) throw new Error('Could not load the CAPTCHA. Please reload the page.')
  return api
}

/** What a solution is for. */
export type CaptchaAction = 'login' | 'register'

interface Widget {
  readonly place: HTMLElement
  readonly action: CaptchaAction
  readonly siteKey: string
  /** A token for one call; undefined when the last token has expired. */
  readonly onToken: (token: string | undefined) => void
  /** Called with a message for the user. */
  readonly onFailure: (text: string) => void
}

/**
 * Renders a widget.
 *
 * @returns a function that removes it
 */
export function showWidget(provider: WidgetProvider, widget: Widget): () => void {
  const { place, action, siteKey, onToken, onFailure } = widget
  let isWanted = true
  let shown: { readonly api: WidgetApi; readonly id: string } | undefined
  const loaded = loading.get(provider) ?? load(provider)
  loading.set(provider, loaded)
  loaded.then(
    (api) => {
      if (!isWanted) return
      const id = api.render(place, {
        sitekey: siteKey,
        action,
        callback: (token) => onToken(token),
        'expired-callback': () => onToken(undefined),
        'error-callback': () => onFailure('Could not show the CAPTCHA. Please reload the page.'),
      })
      shown = { api, id }
    },
    (error: unknown) => {
      // The next attempt loads the script again; the network error can be temporary.
      loading.delete(provider)
      if (isWanted) onFailure(error instanceof Error ? error.message : String(error))
    },
  )
  return () => {
    isWanted = false
    if (shown) shown.api.remove(shown.id)
  }
}
