import type { FastifyRequest } from 'fastify'

/** Whether a request has a body. A body arrives after the headers, when its sender likes. */
export function hasBody({ headers }: FastifyRequest): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
}
