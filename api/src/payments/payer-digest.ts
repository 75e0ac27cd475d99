/** Recognises a payer or an account without storing who it is: the money-back guarantee is once for each. */
import { createHmac } from 'node:crypto'
import { derivedKey, readingKeys, type SecretKeys } from '../rules/derived-key.ts'

const keyed = (secretKey: Buffer, kind: string, id: string) =>
  createHmac('sha256', derivedKey(secretKey, 'refunds v1')).update(`${kind}\n${id}`).digest('hex')

/** The digest to store, in hexadecimal. @param kind `stripe` or `paypal` for a payer, `account` for an account */
export const payerDigest = ({ secretKey }: SecretKeys, kind: string, id: string): string =>
  keyed(secretKey, kind, id)

/** All digests under which a payer can be stored: with the present key, and with the one that it replaces. */
export const payerDigests = (keys: SecretKeys, kind: string, id: string): string[] =>
  readingKeys(keys).map((secretKey) => keyed(secretKey, kind, id))
