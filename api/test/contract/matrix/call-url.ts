export interface MatrixCall {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The URL of a call with its escaped parameters. */
export function urlOf({ url }: { readonly url: string }, { params = {}, query = {} }: MatrixCall) {
  const path = url.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? `no-${name}`),
  )
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}
