type Listener = (...args: never[]) => void

/** Combines several listeners into one. A listener need not handle every event. */
export function fanOut<T extends { [Name in keyof T]: Listener }>(
  ...listeners: readonly Partial<T>[]
): T {
  const names = new Set(listeners.flatMap((listener) => Object.keys(listener)))
  const all = [...names].map((name) => {
    const heard = listeners.flatMap((listener) => listener[name as keyof T] ?? []) as Listener[]
    return [name, (...args: never[]) => heard.forEach((hear) => hear(...args))]
  })
  return Object.fromEntries(all) as T
}
