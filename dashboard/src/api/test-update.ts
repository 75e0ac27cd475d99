/**
 * Sends the request of a router from the browser. It is not a call of the API: it authenticates with the update token as a router
 * does. Therefore the browser omits the session cookie, and asks nobody for a password after a 401.
 */

/** What an update URL answered. */
export interface TestAnswer {
  readonly status: number
  /** One line: `good 198.51.100.7`. */
  readonly text: string
}

/** Updates a domain to the address of this browser. @throws TypeError if there was no answer */
export async function sendTestUpdate(fqdn: string, token: string): Promise<TestAnswer> {
  const response = await fetch(
    new URL(`/nic/update?${new URLSearchParams({ hostname: fqdn }).toString()}`, location.origin),
    {
      credentials: 'omit',
      cache: 'no-store',
      headers: { authorization: `Basic ${btoa(`${fqdn}:${token}`)}` },
    },
  )
  return { status: response.status, text: (await response.text()).trim() }
}
