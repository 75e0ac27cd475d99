/** Update tokens as this program shows them. */
import type { components } from '@homing/openapi/client'

export const TOKEN_FIELDS = [
  'prefix',
  'created_at',
  'last_used_at',
  'last_used_ip',
  'last_client',
] as const satisfies readonly (keyof components['schemas']['UpdateToken'])[]
