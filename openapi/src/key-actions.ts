/** What an API key may be made for. Each operation that a key can reach names the one that it needs. */
export const KEY_ACTIONS = ['read', 'update', 'create', 'delete'] as const
export type KeyAction = (typeof KEY_ACTIONS)[number]

/** The types of records that names hold. */
export const KEY_RECORD_TYPES = ['A', 'AAAA'] as const
