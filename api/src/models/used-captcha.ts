import { bytea, timestamptz } from './columns.ts'
import { table } from './table.ts'

/** CAPTCHAs that were solved and shown: each counts once. */
export class UsedCaptcha extends table(
  'used_captchas',
  { /** SHA-256. */ challenge_digest: bytea, expires_at: timestamptz },
  'challenge_digest',
) {}
