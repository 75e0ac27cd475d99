import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const subscribe = (onChange: () => void) => onlineManager.subscribe(onChange)
const isOnline = () => onlineManager.isOnline()

/** Whether the browser has a network. Data that nothing reads at the moment do not say it. */
export const useOnline = (): boolean => useSyncExternalStore(subscribe, isOnline)
