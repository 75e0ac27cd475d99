/**
 * The transport of calls to a server: Node's own `fetch`, or undici for calls through a proxy.
 *
 * Node's `fetch` cannot send a request for an `http:` URL to a proxy as proxies expect it (RFC 9112 §3.2.2); undici can. It is loaded only for
 * a proxy, because it takes 80 ms more processor time than Node's own.
 */
import type { Proxy } from './proxy.ts'

/** The classes belong together: the `fetch` of one implementation does not accept a request of another. */
export interface Transport {
  readonly fetch: (request: Request, init: RequestInit) => Promise<Response>
  readonly Request: typeof Request
  readonly Response: typeof Response
}

/** The transport through `proxy`, or directly to the server. */
export async function transportThrough(proxy: Proxy | undefined): Promise<Transport> {
  if (proxy === undefined) return { fetch, Request, Response }
  const undici = await import('undici')
  const dispatcher = new undici.ProxyAgent(proxy.url.href)
  const send = (request: Request, init: RequestInit) =>
    undici.fetch(request as never, { ...(init as object), dispatcher })
  // The interfaces are the same, declared once by undici and once by Node's types.
  return {
    fetch: send,
    Request: undici.Request,
    Response: undici.Response,
  } as unknown as Transport
}
