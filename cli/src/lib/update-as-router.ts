/** The update protocol: one request, one line. */
import { apiAt, type ApiOptions } from './api.ts'
import { basicAuthorization, type Credentials } from './credentials.ts'
import { readUpdateAnswer, type UpdateResult } from './update-answer.ts'

const textOf = (body: unknown) => (typeof body === 'string' ? body : undefined)

/**
 * Updates by user name and password, by a key or by an update token.
 *
 * @param wish without addresses, the service uses the address that the request comes from
 * @throws CommandFailure for every answer but `good` and `nochg`
 */
export async function updateAsRouter(
  server: string,
  credentials: Exclude<Credentials, { readonly kind: 'session' }>,
  wish: { readonly name: string; readonly addresses: readonly string[] },
  trace: ApiOptions['trace'],
): Promise<UpdateResult> {
  const { name, addresses } = wish
  const api = await apiAt(server, { authorization: basicAuthorization(credentials), trace })
  const { data, error, response } = await api.GET('/nic/update', {
    params: {
      query: { hostname: name, ...(addresses.length > 0 && { myip: addresses.join(',') }) },
    },
    parseAs: 'text',
  })
  return readUpdateAnswer(name, {
    status: response.status,
    text: textOf(data) ?? textOf(error) ?? '',
    retryAfter: response.headers.get('retry-after'),
  })
}
