/** The script of a worker that solves its part of a CAPTCHA; `captcha-workers.ts` starts it. */
import { handler } from 'altcha-lib/workers/shared'
import { deriveKey } from './derive-key.ts'

handler({ deriveKey })
