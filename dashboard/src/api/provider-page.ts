/** The way to a page of a payment provider. The address comes from the service, and nothing but a web page is opened. */

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** The address names no page that can be opened. */
export class NoProviderPage extends Error {
  override name = 'NoProviderPage'
}

/** Without HTTPS, only this computer: the provider of a development service. */
function isSafe({ protocol, hostname }: URL): boolean {
  if (protocol === 'https:') return true
  return protocol === 'http:' && location.protocol === 'http:' && LOOPBACK.test(hostname)
}

/**
 * Goes to a page of a payment provider. The provider learns no URL of the app.
 *
 * @throws NoProviderPage if the address is not a web page with HTTPS
 */
export function goToProvider(address: string): void {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !isSafe(url)) throw new NoProviderPage(`not a web page: ${address}`)
  const link = document.createElement('a')
  link.href = url.href
  link.referrerPolicy = 'no-referrer'
  document.body.append(link)
  link.click()
  link.remove()
}

/** Calls `then` when the browser shows this page again, as it was, after the user came back from another page. */
export function onReturn(then: () => void): () => void {
  const returned = ({ persisted }: PageTransitionEvent) => persisted && then()
  addEventListener('pageshow', returned)
  return () => removeEventListener('pageshow', returned)
}
