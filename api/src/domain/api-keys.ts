/** The form of API keys; docs of the form are with all secrets. */
import { hasSecretForm, newSecret, secretKindOf, secretPrefix } from './secrets.ts'

/** A new key. @param randomBytes gives unpredictable octets */
export function newApiKey(randomBytes: (count: number) => Buffer): string {
  return newSecret('api_key', randomBytes)
}

/** Whether a text is meant as a key, be it right or not. */
export function isMeantAsApiKey(text: string): boolean {
  return secretKindOf(text) === 'api_key'
}

/** Whether a text has the form of a key, its check included. */
export function looksLikeApiKey(text: string): boolean {
  return isMeantAsApiKey(text) && hasSecretForm(text)
}

/** What of a key is shown after it was made. */
export function apiKeyPrefix(key: string): string {
  return secretPrefix(key)
}
