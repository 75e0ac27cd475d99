/**
 * For lists of the account that other tabs, devices and programs change. The live stream has no events about them: while a
 * list is on the screen, it is read twice a minute, and when the user comes back to the tab. A hidden tab reads nothing.
 */
export const KEPT_CURRENT = { refetchInterval: 30_000 } as const
