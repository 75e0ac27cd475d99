import { bytea, timestamptz } from './columns.ts'
import { table } from './table.ts'

/** Solved CAPTCHAs that were used. Each is valid once. */
export class UsedCaptcha extends table(
  'used_captchas',
  { /** SHA-256. */ challenge_digest: bytea, expires_at: timestamptz },
  'challenge_digest',
) {}
