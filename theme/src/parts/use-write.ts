import { useMutation, type UseMutationOptions, type UseMutationResult } from '@tanstack/react-query'
import { useCallback, useRef } from 'react'
import { useLock } from './use-lock.ts'

/** A change at the service: `useMutation`, with a lock against a double submission. All forms and buttons that write use it. */
export function useWrite<Data, Variables = void>(
  options: UseMutationOptions<Data, Error, Variables>,
): UseMutationResult<Data, Error, Variables> {
  const mutation = useMutation(options)
  const { mutateAsync } = mutation
  const lock = useLock()
  const mutate = useCallback(
    // The result has the error.
    (...call: Parameters<typeof mutateAsync>) =>
      void lock(() => mutateAsync(...call).catch(() => undefined)),
    [lock, mutateAsync],
  )
  return { ...mutation, mutate }
}

/**
 * Changes of several objects, such as the rows of a table, each with a lock of its own. `options.onError` tells the user.
 *
 * @param keyOf names the object of a change; the same function each time
 * @returns the same function each time
 */
export function useWriteEach<Data, Variables>(
  options: UseMutationOptions<Data, Error, Variables>,
  keyOf: (variables: Variables) => string,
): (variables: Variables) => void {
  const { mutateAsync } = useMutation(options)
  const underWay = useRef(new Set<string>())
  return useCallback(
    (variables) => {
      const key = keyOf(variables)
      if (underWay.current.has(key)) return
      underWay.current.add(key)
      const end = () => void underWay.current.delete(key)
      mutateAsync(variables).then(end, end)
    },
    [mutateAsync, keyOf],
  )
}
