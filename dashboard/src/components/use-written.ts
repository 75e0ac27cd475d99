import { useSyncExternalStore } from 'react'

const noSubscription = () => () => undefined

/**
 * Whether the HTML of the build is shown, which is the same for every browser: while the build writes it, and while React
 * takes it over. What depends on the browser is rendered directly after that.
 */
export const useWritten = (): boolean =>
  useSyncExternalStore(
    noSubscription,
    () => false,
    () => true,
  )
