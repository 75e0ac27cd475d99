import { createContext } from 'react'

/**
 * Tells the form around a failure for how many seconds the service refuses another attempt, so that the form holds its
 * button. Outside of a form it does nothing.
 */
export const FormWait = createContext<(seconds: number) => void>(() => undefined)
