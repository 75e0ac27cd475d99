/** What is worth telling the owner of a name about an update call, the most telling first. */
export const UPDATE_HINTS = [
  'account-password-in-url',
  'account-password-refused',
  'key-expired',
  'key-action',
  'key-network',
  'key-domain',
  'key-record-type',
  'two-urls-in-one',
  'template-not-filled',
  'name-appended-to-address',
  'prefix-sent-as-address',
  'related-name-not-reached',
  'wildcard-not-in-plan',
  'paid-parameter-ignored',
  'not-encrypted',
  'account-password',
] as const
export type UpdateHint = (typeof UPDATE_HINTS)[number]
