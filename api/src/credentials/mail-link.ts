import { createHmac } from 'node:crypto'

/**
 * The token of a link sent by mail: 256 bits. It is made from the service's secret key and random
 * bits that travel in the mail's job, so neither the database nor its jobs give a link away, and a
 * mail that is sent a second time carries the same link. The database keeps the token's SHA-256.
 *
 * @param seed 256 random bits as text
 */
export function linkToken(secretKey: Buffer, seed: string): string {
  return createHmac('sha256', secretKey).update(`mail link ${seed}`).digest('base64url')
}
