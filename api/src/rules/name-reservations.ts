/** How long the name of a deleted domain stays reserved, in days: for its last owner, or for nobody if the account is deleted, too. */
export const RESERVATION_DAYS = 30
